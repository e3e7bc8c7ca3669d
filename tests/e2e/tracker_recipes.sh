#!/bin/bash
# tracker_recipes.sh - issues into a room and points back, by the lines of aye(1) as they stand there, with stand-ins
# for gh, glab and jira: each takes what its public documentation has, and nothing else.
. "$(dirname "$0")/cli_kit.bash"
here=$(cd "$(dirname "$0")" && pwd)
start_server main || { echo "Bail out! no server"; exit 1; }
export AYE_SERVER=$server AYE_NAME=Ada
mkdir "$home/bin" "$home/gh" "$home/glab" "$home/jira"
ln -s "$AYE" "$home/bin/aye"

# The lines of an example of the manual: those that get issues, or those that bring points back, from aye export on.
example() { # NAME in|back
	sed -n "/^\.\\\\\" example $1\$/,/^\.\\\\\" end example\$/p" "$here/../../client/aye.1" |
		sed -e '/^\.\\"/d' -e 's/\\-/-/g' -e "s/\\\\(aq/'/g" -e 's/\\e/\\/g' |
		if [ "$2" = in ]; then sed '/^aye export/,$d'; else sed -n '/^aye export/,$p'; fi
}

recipe() { # NAME in|back
	local lines
	lines=$(example "$@")
	[ -n "$lines" ] || { echo "no example $*"; return 1; }
	AYE_ROOM=$code PATH=$home/bin:$PATH sh -eu -c "$lines" 2>&1
}

# ---- stand-ins ----

# gh: `issue list --json` prints the fields that were asked for; `issue edit` takes numbers or addresses, and labels that the
# repository has, and prints the address. https://cli.github.com/manual/gh_issue_edit
cat >"$home/bin/gh" <<'END'
#!/usr/bin/python3
import json, os, sys
home = os.path.dirname(os.path.dirname(os.path.abspath(sys.argv[0]))) + "/gh/"
issues = {
    12: ("Refund a split payment", "acme/pay", "See the mail.\n- two ways"),
    13: ('Say "thank you", twice', "acme/pay", ""),
    12000: ("Sign out", "acme/pay", ""),
}
args = sys.argv[1:]
if args[:2] == ["issue", "list"] and args[2:3] == ["--json"] and len(args) == 4:
    known = {"number", "title", "url", "body"}
    assert set(args[3].split(",")) <= known, args
    print(json.dumps([{k: v for k, v in {
        "number": n, "title": t, "url": f"https://github.com/{r}/issues/{n}", "body": b}.items() if k in args[3].split(",")}
        for n, (t, r, b) in issues.items()]))
elif args[:2] == ["issue", "edit"] and args[3:4] == ["--add-label"] and len(args) == 5:
    number = int(args[2].rsplit("/", 1)[-1])
    if number not in issues or args[2] not in (str(number), f"https://github.com/{issues[number][1]}/issues/{number}"):
        sys.exit(f"GraphQL: Could not resolve to an issue or pull request with the number of {args[2]}.")
    if args[4] not in ("points: 3", "points: 5", "points: 8"):
        sys.exit(f"failed to update {args[2]}: '{args[4]}' not found")
    with open(home + str(number), "a") as f:
        f.write(args[4] + "\n")
    print(f"https://github.com/{issues[number][1]}/issues/{number}")
else:
    sys.exit(f"unknown command {args}")
END

# glab: `issue list --output json` prints what the API has; `issue update` takes the issue's number in the project, and a
# whole number as the weight. https://gitlab.com/gitlab-org/cli/-/tree/main/docs/source/issue
cat >"$home/bin/glab" <<'END'
#!/usr/bin/python3
import json, os, sys
home = os.path.dirname(os.path.dirname(os.path.abspath(sys.argv[0]))) + "/glab/"
issues = {3: ("Refund a split payment", None), 4: ("Sign out", None), 5: ("Receipts", 13)}
args = sys.argv[1:]
if args == ["issue", "list", "--output", "json"]:
    print(json.dumps([{
        "id": 90000 + n, "iid": n, "external_id": "", "state": "opened", "description": "", "title": t,
        "author": {"id": 1, "name": "Ada", "web_url": "https://gitlab.example/ada"}, "labels": ["refine"], "weight": w,
        "web_url": f"https://gitlab.example/acme/pay/-/issues/{n}", "references": {"short": f"#{n}"}, "_links": {},
    } for n, (t, w) in issues.items()]))
elif args[:2] == ["issue", "update"] and args[3:4] == ["--weight"] and len(args) == 5:
    if int(args[2]) not in issues:
        sys.exit("404 Not Found")
    with open(home + args[2], "a") as f:
        f.write(f"{int(args[4])}\n")
    print(f"- Updating issue in acme/pay\n✓ updated weight to \"{args[4]}\"\n\n#{args[2]} {issues[int(args[2])][0]}")
else:
    sys.exit(f"unknown command {args}")
END

# jira, of ankitpokhrel/jira-cli: `issue list --raw` prints a list of issues with `key` and `fields`; `issue edit` takes what
# comes on standard input for the description, also with --no-input; --custom names a field of its settings.
cat >"$home/bin/jira" <<'END'
#!/usr/bin/python3
import json, os, sys
home = os.path.dirname(os.path.dirname(os.path.abspath(sys.argv[0]))) + "/jira/"
issues = {"PAY-7": "Refund, in parts", "PAY-8": "Sign out", "PAY-9": "Receipts"}
args = sys.argv[1:]
if args[:2] == ["issue", "list"] and args[2] == "-q" and args[4:] == ["--raw"]:
    print(json.dumps([{"key": k, "fields": {
        "summary": s, "description": {"version": 1, "type": "doc", "content": []}, "labels": [], "issueType": {"name": "Story"},
        "status": {"name": "To Do"}, "priority": {"name": "Medium"}, "Subtasks": None}} for k, s in issues.items()], indent=2))
elif args[:2] == ["issue", "edit"] and args[3] == "--custom" and args[5:] == ["--no-input"]:
    field, value = args[4].split("=")
    if args[2] not in issues or field != "story-points":
        sys.exit(f"✗ Error: Issue does not exist or you do not have permission to see it: {args[2]}")
    text = "" if os.isatty(0) else sys.stdin.read()
    with open(home + args[2], "a") as f:
        f.write(f"{float(value):g}{text}\n")
    print(f"✓ Issue updated\nhttps://acme.atlassian.net/browse/{args[2]}")
else:
    sys.exit(f"unknown command {args}")
END
chmod 755 "$home/bin/gh" "$home/bin/glab" "$home/bin/jira"

# ---- what a team does ----

vote_on() { # STORY CARD
	"$AYE" select "$code" "$1" >/dev/null && "$AYE" vote "$code" "$2" >/dev/null && "$AYE" reveal "$code" >/dev/null &&
		"$AYE" settle "$code" "$2" >/dev/null
}

# Two are settled, a third is not; one was added by hand, without a key.
the_team_settles() { # FIRST SECOND
	vote_on "$1" 5 && vote_on "$2" 8 && "$AYE" story add "$code" "By hand" >/dev/null && vote_on "By hand" 3
}

issues_of_github() {
	code=$("$AYE" room create --title GitHub) && recipe gh in | grep -x "3 stories added" && the_team_settles '#12' '#13' || return 1
	recipe gh back || return 1
	[ "$(cat "$home/gh/12")" = "points: 5" ] && [ "$(cat "$home/gh/13")" = "points: 8" ] && [ ! -e "$home/gh/12000" ] || return 1
	recipe gh in | grep -x "0 stories added, 3 known, 0 of them changed"
}

issues_of_gitlab() {
	code=$("$AYE" room create --title GitLab) && recipe glab in | grep -x "3 stories added" && the_team_settles '#3' '#4' || return 1
	recipe glab back || return 1
	[ "$(cat "$home/glab/3")" = 5 ] && [ "$(cat "$home/glab/4")" = 8 ] && [ ! -e "$home/glab/5" ] || return 1
	"$AYE" story list "$code" | grep -q '13 .*#5 Receipts' && recipe glab in | grep -x "0 stories added, 3 known, 0 of them changed"
}

issues_of_jira() {
	code=$("$AYE" room create --title Jira) && recipe jira in | grep -x "3 stories added" && the_team_settles PAY-7 PAY-8 || return 1
	recipe jira back || return 1
	[ "$(cat "$home/jira/PAY-7")" = 5 ] && [ "$(cat "$home/jira/PAY-8")" = 8 ] && [ ! -e "$home/jira/PAY-9" ] || return 1
	echo "$code" >"$home/jira.code"
	recipe jira in | grep -x "0 stories added, 3 known, 0 of them changed"
}

# Jira's importer updates the fields of the columns that a file has, by the issue's key: an empty cell clears a field, and a
# row without a key is a new issue. https://support.atlassian.com/jira-cloud-administration/docs/import-data-from-a-csv-file/
the_importer_updates_points_alone() {
	"$AYE" export "$(cat "$home/jira.code")" --format jira -o "$home/points.csv" 2>"$home/err" || return 1
	cat "$home/points.csv" "$home/err"
	/usr/bin/python3 - "$home/points.csv" <<-'END'
		import csv, sys
		issues = {k: {"Summary": s, "Story Points": "", "Description": "kept", "Link": "kept"}
		          for k, s in (("PAY-7", "Refund, in parts"), ("PAY-8", "Sign out"), ("PAY-9", "Receipts"))}
		before = {k: dict(v) for k, v in issues.items()}
		for row in csv.DictReader(open(sys.argv[1], newline="")):
		    issues[row.pop("Issue key")].update(row)
		before["PAY-7"]["Story Points"] = "5"
		before["PAY-8"]["Story Points"] = "8"
		assert issues == before, issues
	END
}

claim "gh: issues become stories, and points labels, by the lines of aye(1)" issues_of_github
claim "glab: issues become stories, and points weights, by the lines of aye(1)" issues_of_gitlab
claim "jira: issues become stories, and points go back, by the lines of aye(1)" issues_of_jira
claim "an import of the points by Jira's rules changes nothing else" the_importer_updates_points_alone
