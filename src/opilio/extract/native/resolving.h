/* The distinct links that the references of a page mean: the loop of `links.resolve`. */

#ifndef OPILIO_RESOLVING_H
#define OPILIO_RESOLVING_H

#include "text.h"

#define LONGEST_URL (16 * 1024)

enum { L_URL, L_KIND, L_ELEMENT, L_ATTRIBUTE, L_REL, L_TEXT, L_TIMES, LINK_FIELDS };

/* What a reference means if it is remembered, borrowed; also without its fragment, as `Base.link` has it. */
static PyObject *remembered(PyObject *known, PyObject *ref) {
    PyObject *found = PyDict_GetItemWithError(known, ref);
    if (found || PyErr_Occurred()) return found;
    Py_ssize_t length = PyUnicode_GET_LENGTH(ref);
    if (length > LONGEST_URL) return NULL;
    Py_ssize_t mark = PyUnicode_FindChar(ref, '#', 0, length, 1);
    if (mark < 1 || PyUnicode_READ_CHAR(ref, mark - 1) <= ' ') return NULL;
    PyObject *stem = PyUnicode_Substring(ref, 0, mark);
    if (!stem) return NULL;
    found = PyDict_GetItemWithError(known, stem);
    Py_DECREF(stem);
    return found;
}

/* The URL of a reference, a new reference; None where it is no link. `here` is what this page asked for already. */
static PyObject *url_of(PyObject *known, PyObject *here, PyObject *link, PyObject *ref) {
    PyObject *found = remembered(known, ref);
    if (!found && !PyErr_Occurred()) found = PyDict_GetItemWithError(here, ref);
    if (found) return Py_NewRef(found);
    if (PyErr_Occurred() || !(found = PyObject_CallOneArg(link, ref))) return NULL;
    if (PyDict_SetItem(here, ref, found)) Py_CLEAR(found);
    return found;
}

/* Under what equal links are found: URL, kind and rel. */
static PyObject *key_of(PyObject *url, PyObject *reference) {
    return PyTuple_Pack(3, url, PyTuple_GET_ITEM(reference, L_KIND), PyTuple_GET_ITEM(reference, L_REL));
}

/* A link of the given type, a tuple with names, with the fields of its reference. */
static PyObject *made_link(PyTypeObject *type, PyObject *url, PyObject *reference, PyObject *once) {
    PyObject *made = type->tp_alloc(type, LINK_FIELDS);
    if (!made) return NULL;
    PyTuple_SET_ITEM(made, L_URL, Py_NewRef(url));
    for (int i = L_KIND; i <= L_TEXT; i++) PyTuple_SET_ITEM(made, i, Py_NewRef(PyTuple_GET_ITEM(reference, i)));
    PyTuple_SET_ITEM(made, L_TIMES, Py_NewRef(once));
    return made;
}

/* Count a link once more; it takes the text of the other if it has none. Nobody else has seen the tuple yet. */
static int counted(PyObject *known, PyObject *reference) {
    PyObject *times = PyLong_FromLong(PyLong_AsLong(PyTuple_GET_ITEM(known, L_TIMES)) + 1);
    if (!times) return -1;
    PyObject *before = PyTuple_GET_ITEM(known, L_TIMES), *text = PyTuple_GET_ITEM(known, L_TEXT);
    PyTuple_SET_ITEM(known, L_TIMES, times);
    Py_DECREF(before);
    if (PyUnicode_GET_LENGTH(text)) return 0;
    for (int i = L_ELEMENT; i <= L_TEXT; i += i == L_ATTRIBUTE ? 2 : 1) {
        PyObject *old = PyTuple_GET_ITEM(known, i);
        if (!PyUnicode_GET_LENGTH(PyTuple_GET_ITEM(reference, L_TEXT))) break;
        PyTuple_SET_ITEM(known, i, Py_NewRef(PyTuple_GET_ITEM(reference, i)));
        Py_DECREF(old);
    }
    return 0;
}

typedef struct {
    PyObject *known, *link, *once, *here, *found, *links, *bad;
    PyTypeObject *type;
    Py_ssize_t most, dropped;
} Resolving;

static int resolve_one(Resolving *all, PyObject *reference) {
    PyObject *url = url_of(all->known, all->here, all->link, PyTuple_GET_ITEM(reference, 0));
    if (!url) return -1;
    if (url == Py_None) {
        Py_DECREF(url);
        return PyList_Append(all->bad, PyTuple_GET_ITEM(reference, 0));
    }
    PyObject *key = key_of(url, reference), *made = NULL;
    PyObject *same = key ? PyDict_GetItemWithError(all->found, key) : NULL;
    int failed = !key || (!same && PyErr_Occurred());
    if (same) failed = counted(same, reference);
    else if (!failed && PyList_GET_SIZE(all->links) >= all->most) all->dropped++;
    else if (!failed) {
        made = made_link(all->type, url, reference, all->once);
        failed = !made || PyDict_SetItem(all->found, key, made) || PyList_Append(all->links, made);
    }
    Py_DECREF(url);
    Py_XDECREF(key);
    Py_XDECREF(made);
    return failed ? -1 : 0;
}

static PyObject *quick_resolve(PyObject *self, PyObject *args) {
    PyObject *references, *result = NULL;
    Resolving all = {0};
    (void)self;
    if (!PyArg_ParseTuple(args, "O!O!OnO!", &PyList_Type, &references, &PyDict_Type, &all.known, &all.link, &all.most,
                          &PyType_Type, &all.type))
        return NULL;
    all.once = PyLong_FromLong(1);
    all.here = PyDict_New(), all.found = PyDict_New(), all.links = PyList_New(0), all.bad = PyList_New(0);
    int failed = !all.once || !all.here || !all.found || !all.links || !all.bad;
    for (Py_ssize_t i = 0; !failed && i < PyList_GET_SIZE(references); i++) {
        PyObject *one = PyList_GET_ITEM(references, i);
        if (!PyTuple_Check(one) || PyTuple_GET_SIZE(one) != LINK_FIELDS - 1) {
            PyErr_SetString(PyExc_TypeError, "a reference is a tuple of six");
            failed = 1;
        } else failed = resolve_one(&all, one);
    }
    if (!failed) {
        PyObject *links = PyList_AsTuple(all.links);
        if (links) result = Py_BuildValue("(NOn)", links, all.bad, all.dropped);
    }
    Py_XDECREF(all.once), Py_XDECREF(all.here), Py_XDECREF(all.found), Py_XDECREF(all.links), Py_XDECREF(all.bad);
    return result;
}

#endif
