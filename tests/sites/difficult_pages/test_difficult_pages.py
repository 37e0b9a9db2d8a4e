"""Seed C: scripts, frames, image maps, dynamic pages, plug-ins and private parts do not confuse a crawl."""

from opilio.crawl.plan import Extract

SCRIPTED = {"by-script.html", "also-by-script.html"}


def test_frames_image_maps_and_plug_ins_are_read_and_private_parts_are_left(sites):
    """What HTML refers to is fetched; scripts are not run, plug-ins are kept unread, a closed part stays closed."""
    crawled = sites.crawl("difficult-pages/")
    pages = ["", "framed.html", "in-frame.html", "by-map.html", "left.html", "right.html", "echo?page=1"]
    parts = ["plan.png", "film.swf", "sound.mid"]
    assert crawled.fetched == {f"difficult-pages/{path}" for path in (*pages, *parts)}
    assert crawled.page("difficult-pages/login/basic").outcome == "permanent-error"
    assert crawled.ended.ending == "finished"


def test_urls_in_scripts_are_tried_where_the_plan_says_so(sites):
    """They are guesses, and marked as such."""
    crawled = sites.crawl("difficult-pages/", extract=Extract(scripts=True))
    assert crawled.fetched >= {f"difficult-pages/{path}" for path in SCRIPTED}
    assert {crawled.page(f"difficult-pages/{path}").path for path in SCRIPTED} == {"X"}
