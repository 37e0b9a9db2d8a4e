"""Shows archived pages in a browser: a plain ASGI application, one host name per result, never the live web."""
