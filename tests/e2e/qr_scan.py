"""qr_scan.py - read a QR code that was printed as half blocks, as a camera reads it.

The rows come on standard input; what the code says goes to standard output. The decoder is another's:
zbar, called by its C interface. Each module becomes a square of pixels, dark where ink is.
"""
import ctypes
import sys

PIXELS = 8
HALVES = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}


def picture(rows):
    """Bytes of grey, a row after the other, and the width."""
    modules = []
    for row in rows:
        for half in (0, 1):
            modules.append([HALVES[sign][half] for sign in row])
    width = max(len(line) for line in modules)
    grey = bytearray()
    for line in modules:
        line = line + [0] * (width - len(line))
        grey += b"".join((b"\0" if dark else b"\xff") * PIXELS for dark in line) * PIXELS
    return bytes(grey), width * PIXELS, len(modules) * PIXELS


def scan(grey, width, height):
    zbar = ctypes.CDLL("libzbar.so.0")
    for name in ("scanner_create", "create", "first_symbol"):
        getattr(zbar, "zbar_image_" + name).restype = ctypes.c_void_p
    zbar.zbar_symbol_get_data.restype = ctypes.c_char_p
    scanner = ctypes.c_void_p(zbar.zbar_image_scanner_create())
    image = ctypes.c_void_p(zbar.zbar_image_create())
    zbar.zbar_image_set_format(image, ctypes.c_ulong(int.from_bytes(b"Y800", "little")))
    zbar.zbar_image_set_size(image, width, height)
    zbar.zbar_image_set_data(image, grey, ctypes.c_ulong(len(grey)), None)
    if zbar.zbar_scan_image(scanner, image) != 1:
        sys.exit("no code is seen, or more than one")
    symbol = ctypes.c_void_p(zbar.zbar_image_first_symbol(image))
    return zbar.zbar_symbol_get_data(symbol).decode()


print(scan(*picture(sys.stdin.read().splitlines())))
