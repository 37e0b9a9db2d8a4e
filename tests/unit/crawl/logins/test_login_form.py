"""Finding a login form, and filling it in as a browser would."""

from urllib.parse import parse_qsl

import pytest

from opilio.crawl.logins.credential import Form
from opilio.crawl.logins.login_form import LoginForm, asked_to_log_in, filled

URL = "https://www.example.org/a/login"
HTML = "text/html; charset=utf-8"
WAY = Form(page=URL, user="curator", password="straw & hay")


def page(fields, attributes='method="post" action="enter"', before=""):
    return f"<html><body>{before}<form {attributes}>{fields}</form></body></html>".encode()


def sent(content, way=WAY, content_type=HTML):
    form = filled(content, content_type, URL, way)
    assert isinstance(form, LoginForm), form
    return dict(parse_qsl(form.body.decode(), keep_blank_values=True))


FIELDS = '<input name="u"><input type=password name="p">'


def test_user_and_password_go_into_their_fields():
    """The text field before the password is the user's; where it leads is read relative to the page."""
    form = filled(page(FIELDS), HTML, URL, WAY)
    assert form.action == "https://www.example.org/a/enter"
    assert form.body == b"u=curator&p=straw+%26+hay"
    assert form.shown == b"u=%5Bhidden%5D&p=%5Bhidden%5D"


def test_what_a_browser_sends_is_sent():
    """Hidden fields, what is checked or selected, the first button; not what is disabled, unchecked or unnamed."""
    content = page(
        '<input type="hidden" name="csrf" value="x&amp;y"><input name="u" value="x"><input type=password name="p">'
        '<input type=checkbox name="keep" checked><input type=checkbox name="no"><input type=radio name="r" value="1">'
        '<input type=radio name="r" value="2" checked><select name="s"><option>A<option selected value="b">B</select>'
        '<select name="t"><option>first<option>second</select><textarea name="w">words</textarea>'
        '<input name="off" disabled value="1"><input value="unnamed"><input type=file name="f"><button>Go</button>'
        '<button name="go" value="in">In</button><input type=submit name="more" value="m"><input type=reset name=z>'
    )
    assert sent(content) == {
        "csrf": "x&y", "u": "curator", "p": "straw & hay", "keep": "on", "r": "2", "s": "b", "t": "first", "w": "words",
        "go": "in",
    }  # fmt: skip


def test_fields_can_be_named():
    """And further values given, also such that the form lacks."""
    way = Form(
        page=URL, user="curator", password="word", user_field="b", password_field="d", fields={"a": "1", "new": "2"}
    )
    content = page('<input name="a"><input name="b"><input name="c" value="3"><input name="d">' + FIELDS)
    assert sent(content, way) == {"a": "1", "b": "curator", "c": "3", "d": "word", "new": "2", "u": "", "p": ""}


def test_a_control_may_stand_outside_its_form():
    """It names the form."""
    content = page('<input type=password name="p">', 'id="f" method="post"', before='<input form="f" name="u">')
    assert sent(content, Form(page=URL, user="curator", password="w", user_field="u"))["u"] == "curator"


def test_the_form_with_the_password_is_taken():
    """Not the search above it."""
    content = b"<form><input name=q></form>" + page(FIELDS)
    assert set(sent(content)) == {"u", "p"}


def test_the_page_s_base_and_charset_count():
    """As for every link and form of a page."""
    way = Form(page=URL, user="curator", password="Größe")
    content = page(FIELDS).replace(b"<body>", b'<head><base href="/other/"></head><body>')
    form = filled(content, "text/html; charset=iso-8859-1", URL, way)
    assert form.action == "https://www.example.org/other/enter"
    assert form.body.endswith(b"p=Gr%F6%DFe")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "no form with a password"),
        (b"<p>type=password</p>", "no form with a password"),
        (page(FIELDS, "action=/x"), "would put the password into a URL"),
        (page(FIELDS, "method=get"), "would put the password into a URL"),
        (page(FIELDS, 'method=post enctype="multipart/form-data"'), "multipart"),
        (page(FIELDS, 'method=post action="mailto:x@example.org"'), "leads to no URL"),
        (page("<input type=password name=p>", "method=post"), "no field for the user"),
        (page("<input name=u><input type=password>", "method=post"), "password field has no name"),
        (b"<div>" * 100_000 + page(FIELDS), "no form with a password"),
        (b"\xff\x00<form type=password", "no form with a password"),
    ],
)
def test_a_page_that_cannot_be_used_says_why(content, told):
    """No guess is made with a password."""
    assert told in filled(content, HTML, URL, WAY)


def test_a_form_for_a_new_password_does_not_ask_to_log_in():
    """It has two fields."""
    assert asked_to_log_in(page(FIELDS), HTML, URL).action == "https://www.example.org/a/enter"
    assert asked_to_log_in(page(FIELDS + "<input type=password name=again>"), HTML, URL) is None
    assert asked_to_log_in(b"<p>no form</p>", HTML, URL) is None


def test_a_page_of_forms_is_looked_at_in_part():
    """Each form would cost a walk through the whole page, and a huge page is none to sign in."""
    assert asked_to_log_in(b"<form></form>" * 20_000 + page(FIELDS), HTML, URL) is None
    assert "no form with a password" in filled(b"<p>" * 200_000 + page(FIELDS), HTML, URL, WAY)


def test_a_page_with_much_to_say_is_told_from_one_that_only_asks():
    """A login box in the margin is no wall."""
    assert asked_to_log_in(page(FIELDS), HTML, URL).short
    assert not asked_to_log_in(page(FIELDS, before="<p>" + "word " * 500), HTML, URL).short
