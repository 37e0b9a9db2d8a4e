"""A web site of a few pages on loopback that writes down who asked for what, and small pictures to look into."""

import base64
import struct
import threading
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class SmallSite:
    """`SmallSite({"/": ("text/html", b"…")})`; a string in place of a pair is where a redirect leads."""

    def __init__(self, pages, *, host="127.0.0.1"):
        site = self
        self.pages = pages
        self.seen = []  # paths with their headers

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self.rfile.read(int(self.headers.get("Content-Length", 0)))  # unread, it would tear the answer down
                site.seen.append((self.path, dict(self.headers.items())))
                found = site.pages.get(self.path, ("text/plain", None))
                if isinstance(found, str):
                    self.send_response(302)
                    self.send_header("Location", found)
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                kind, body = found
                self.send_response(200 if body is not None else 404)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

            do_POST = do_HEAD = do_GET

            def log_message(self, *_):
                """Silence."""

        self._server = ThreadingHTTPServer((host, 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://{host}:{self._server.server_address[1]}"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


def png(colour, width=1, height=1):
    """A picture of one colour."""
    row = b"\x00" + bytes(colour) * width
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(row * height)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks
    )


def png_size(data):
    """Width and height of a PNG."""
    assert data.startswith(b"\x89PNG")
    return struct.unpack(">II", data[16:24])


_PIXELS = """
async ({url, places}) => {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0);
  return {size: [image.width, image.height],
          pixels: places.map(([x, y]) => Array.from(pen.getImageData(x, y, 1, 1).data).slice(0, 3))};
}
"""


def looked(camera, data, *places, kind="image/png"):
    """The size of a picture and the colours of some of its pixels, as a browser sees them."""
    url = f"data:{kind};base64,{base64.b64encode(data).decode()}"
    with camera.blank() as page:
        found = page.evaluate(_PIXELS, {"url": url, "places": [list(place) for place in places]})
    return tuple(found["size"]), [tuple(pixel) for pixel in found["pixels"]]
