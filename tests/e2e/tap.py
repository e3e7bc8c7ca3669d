"""tap.py - the claims of a session in Python, as claims_of() of cli_kit.bash reads them."""

claims = 0
failures = 0


def claim(text, is_true, told=None):
    """Print one TAP line, and what was seen where it is not so."""
    global claims, failures
    claims += 1
    failures += not is_true
    print("%sok %d - %s" % ("" if is_true else "not ", claims, text), flush=True)
    if not is_true and told is not None:
        print("# %r" % (told,), flush=True)


def exit_code():
    """Of the session, behind its last claim."""
    return 1 if failures else 0
