"""Works on pictures in a blank page of the browser: makes them small, and shows where two differ."""

import base64
from dataclasses import dataclass
from typing import Any

from opilio.archive.screenshots.browser import Camera

_QUALITY = 0.8  # of JPEG
_TOLERANCE = 24  # of 255 in one colour; less is noise of fonts and gradients
_SMALL = """
async ({url, width, quality}) => {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = Math.max(1, Math.round(image.height * width / image.width));
  const pen = canvas.getContext("2d");
  pen.imageSmoothingQuality = "high";
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/jpeg", quality);
}
"""
_DIFFER = """
async ({before, after, tolerance}) => {
  const opened = async (url) => { const image = new Image(); image.src = url; await image.decode(); return image; };
  const [one, two] = [await opened(before), await opened(after)];
  const width = Math.max(one.width, two.width), height = Math.max(one.height, two.height);
  const pixels = (image) => {
    const canvas = new OffscreenCanvas(width, height);
    const pen = canvas.getContext("2d", {willReadFrequently: true});
    pen.drawImage(image, 0, 0);
    return pen.getImageData(0, 0, width, height).data;
  };
  const [left, right] = [pixels(one), pixels(two)];
  const shown = new ImageData(width, height);
  let count = 0;
  for (let at = 0; at < left.length; at += 4) {
    const far = Math.max(
      Math.abs(left[at] - right[at]), Math.abs(left[at + 1] - right[at + 1]),
      Math.abs(left[at + 2] - right[at + 2]), Math.abs(left[at + 3] - right[at + 3]));
    const grey = 200 + Math.round((right[at] * 3 + right[at + 1] * 6 + right[at + 2]) / 10 * 55 / 255);
    const differs = far > tolerance;
    count += differs;
    shown.data.set(differs ? [200, 30, 60, 255] : [grey, grey, grey, 255], at);
  }
  const canvas = document.createElement("canvas");
  canvas.width = width; canvas.height = height;
  canvas.getContext("2d").putImageData(shown, 0, 0);
  return {share: count / (width * height), picture: canvas.toDataURL("image/png"), width, height};
}
"""
_BESIDE = """
async ({pictures, captions}) => {
  const opened = async (url) => { const image = new Image(); image.src = url; await image.decode(); return image; };
  const images = await Promise.all(pictures.map(opened));
  const gap = 16, line = 40;
  const canvas = document.createElement("canvas");
  canvas.width = images.reduce((sum, image) => sum + image.width + gap, gap);
  canvas.height = Math.max(...images.map((image) => image.height)) + line + gap;
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#e8e8e8";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = "#111";
  pen.font = "20px sans-serif";
  pen.textBaseline = "middle";
  let at = gap;
  images.forEach((image, number) => {
    pen.fillText(captions[number], at, line / 2, image.width);
    pen.drawImage(image, at, line);
    at += image.width + gap;
  });
  return canvas.toDataURL("image/png");
}
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """Where two pictures differ."""

    share: float  # of the pixels, 0 to 1
    picture: bytes  # PNG: what differs in red, the rest of the second picture in grey
    width: int
    height: int


def thumbnail(camera: Camera, picture: bytes, width: int) -> bytes:
    """A PNG made small, as JPEG."""
    with camera.blank() as page:
        return _data(page.evaluate(_SMALL, {"url": _url(picture), "width": width, "quality": _QUALITY}))


def difference(camera: Camera, before: bytes, after: bytes) -> Difference:
    """Compare two PNG, pixel by pixel; what one has beyond the other differs."""
    with camera.blank() as page:
        found: dict[str, Any] = page.evaluate(
            _DIFFER, {"before": _url(before), "after": _url(after), "tolerance": _TOLERANCE}
        )
    return Difference(
        share=float(found["share"]),
        picture=_data(found["picture"]),
        width=int(found["width"]),
        height=int(found["height"]),
    )


def side_by_side(camera: Camera, pictures: list[bytes], captions: list[str]) -> bytes:
    """PNGs beside each other as one PNG, each with a line above it."""
    with camera.blank() as page:
        return _data(page.evaluate(_BESIDE, {"pictures": list(map(_url, pictures)), "captions": captions}))


def data_url(data: bytes, content_type: str = "image/png") -> str:
    """A picture as an address that holds it."""
    return f"data:{content_type};base64,{base64.b64encode(data).decode()}"


def _url(picture: bytes) -> str:
    return data_url(picture)


def _data(url: str) -> bytes:
    return base64.b64decode(url.partition(",")[2])
