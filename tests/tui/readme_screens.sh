#!/bin/bash
# readme_screens.sh - the screens that README.md shows are those of the program; its picture is one
# that a page can show (whether it shows the program, tests/tui/picture.c says); it is short, and
# its links, and those of the other documents, lead somewhere.
#
# Above each stands where it comes from: <!-- screen: FILE -->, one of the expected screens, or
# <!-- screen: FILE WIDTHxHEIGHT --> where the file has several sizes. It is shown without the
# line about the cursor, and empty lines that follow one another as one.
# AYE_UPDATE_SCREENS=1 writes them anew.
set -u

readme=README.md
filled=$(mktemp)
trap 'rm -f "$filled"' EXIT

awk '
	/^<!-- screen: .* -->$/ { file = $3; size = $4 }
	is_old && /^```$/ { is_old = 0 }
	!is_old { print }
	file != "" && /^```text$/ {
		was_empty = 0
		is_shown = size == "-->"
		while ((read = (getline line < file)) > 0) {
			if (line ~ /^[0-9]+x[0-9]+$/) {
				is_shown = line == size
			} else if (is_shown && line !~ /^\(.*cursor.*\)$/ && !(line == "" && was_empty)) {
				print line
			}
			was_empty = line == ""
		}
		if (read < 0) {
			print file " is missing"
		}
		close(file)
		file = ""
		is_old = 1
	}
' "$readme" >"$filled"

if [ -n "${AYE_UPDATE_SCREENS:-}" ]; then
	cat "$filled" >"$readme"
fi
. "$(dirname "$0")/../support/claims.bash"

shows_screens() {
	[ "$(grep -c '^<!-- screen: ' "$readme")" -ge 3 ]
}

# `make screens` writes them anew.
screens_are_fresh() {
	diff "$readme" "$filled"
}

picture=tests/tui/picture.svg
picture_is_shown() {
	grep -q "^!\[.*\]($picture)$" "$readme"
}

# Well-formed, small, and at rest nothing but what it is: no script, nothing loaded from elsewhere.
picture_is_harmless() {
	python3 - "$picture" <<-END
		import os, sys, xml.etree.ElementTree as tree
		frames = 0
		assert os.path.getsize(sys.argv[1]) < 120000, "larger than 120,000 bytes"
		for e in tree.parse(sys.argv[1]).iter():
		    name = e.tag.split("}")[1]
		    assert name in ("svg", "title", "desc", "rect", "g", "text", "style"), name
		    assert not any("href" in a or a.startswith("on") for a in e.attrib), e.attrib
		    frames += name == "g" and e.get("visibility") == "visible"
		assert frames == 1, f"{frames} frames are visible without CSS"
	END
}

readme_is_short() {
	python3 - "$readme" <<-END
		import sys
		lines = open(sys.argv[1]).read().split("\n")
		assert len(lines) < 350, f"{len(lines)} lines"
		for line in lines:
		    assert len(line) <= 120, line
	END
}

# To files of the tree, and to headings of those, as anchors are made of them.
links_lead_somewhere() {
	python3 - README.md CONTRIBUTING.md tests/README.md proto/README.md store/README.md <<-END
		import os, re, sys
		def anchors(path):
		    text = re.sub(r"^\\x60{3}.*?^\\x60{3}", "", open(path).read(), flags=re.S | re.M)
		    return [re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in re.findall(r"^#+ (.*)", text, re.M)]
		for page in sys.argv[1:]:
		    for link in re.findall(r"\]\(([^)\s]+)\)", open(page).read()):
		        if not link.startswith("http"):
		            path, _, anchor = link.partition("#")
		            path = os.path.join(os.path.dirname(page), path) if path else page
		            assert os.path.exists(path), (page, link)
		            if os.path.isdir(path):
		                path += "/README.md"
		            assert not anchor or anchor in anchors(path), (page, link)
	END
}

claim "README is short" readme_is_short
claim "links of the documents lead somewhere" links_lead_somewhere
claim "three screens are shown" shows_screens
claim "each is as its file says" screens_are_fresh
claim "the picture is shown" picture_is_shown
claim "it is well-formed, small, one frame at rest, and runs and loads nothing" picture_is_harmless
echo "1..$n"
exit $failed
