/*
 * completion_script.c - the scripts of the shells. None has a list of its own that could grow old.
 */
#include "client/cli/completion_script.h"

#include <stddef.h>
#include <string.h>

static const char completion_bash[] =
	"# What makes bash complete the words of aye.\n"
	"_aye()\n"
	"{\n"
	"	local aye=aye joined=0 start word cut line IFS=$'\\n'\n"
	"	local -a typed=() lines=()\n"
	"	case $1 in */*) [ -x \"$1\" ] && aye=$1 ;; esac\n"
	"	# bash takes = and : for the ends of words; aye does not.\n"
	"	for word in \"${COMP_WORDS[@]:1:COMP_CWORD}\"; do\n"
	"		start=$joined joined=0\n"
	"		case $word in *[=:]) joined=1 ;; esac\n"
	"		case $word in [=:]*) start=1 ;; esac\n"
	"		if [ \"$start\" = 1 ] && [ ${#typed[@]} -gt 0 ]; then\n"
	"			typed[${#typed[@]} - 1]+=$word\n"
	"		else\n"
	"			typed+=(\"$word\")\n"
	"		fi\n"
	"	done\n"
	"	word=${typed[${#typed[@]} - 1]}\n"
	"	word=${word//\\\\/} word=${word#[\\'\\\"]}\n"
	"	typed[${#typed[@]} - 1]=$word\n"
	"	case $word in *[=:]*) cut=${word%\"${word##*[=:]}\"} ;; *) cut= ;; esac\n"
	"	COMPREPLY=()\n"
	"	mapfile -t lines < <(\"$aye\" completion words -- \"${typed[@]}\" 2>/dev/null)\n"
	"	for line in \"${lines[@]}\"; do\n"
	"		word=${line%%$'\\t'*}\n"
	"		if [ \"$word\" = '" COMPLETION_FILE "' ]; then\n"
	"			compopt -o default 2>/dev/null\n"
	"			continue\n"
	"		fi\n"
	"		case $word in *=) compopt -o nospace 2>/dev/null ;; esac\n"
	"		printf -v word %q \"${word#\"$cut\"}\"\n"
	"		COMPREPLY+=(\"$word\")\n"
	"	done\n"
	"}\n"
	"complete -F _aye aye\n";

static const char completion_zsh[] =
	"#compdef aye\n"
	"# What makes zsh complete the words of aye.\n"
	"_aye()\n"
	"{\n"
	"	local -a lines whole begun\n"
	"	local line word\n"
	"	lines=(\"${(@f)$(\"${(Q)words[1]}\" completion words -- "
	"\"${(@Q)words[2,CURRENT-1]}\" \"${(Q)PREFIX}\" 2>/dev/null)}\")\n"
	"	for line in \"${lines[@]}\"; do\n"
	"		word=${line%%$'\\t'*}\n"
	"		[[ -n $word ]] || continue\n"
	"		if [[ $word == '" COMPLETION_FILE "' ]]; then\n"
	"			_files\n"
	"			continue\n"
	"		fi\n"
	"		line=\"${word//:/\\\\:}:${line#*$'\\t'}\"\n"
	"		if [[ $word == *= ]]; then begun+=(\"$line\"); else whole+=(\"$line\"); "
	"fi\n"
	"	done\n"
	"	(( $#whole )) && _describe aye whole\n"
	"	(( $#begun )) && _describe aye begun -S ''\n"
	"	return 0\n"
	"}\n"
	"if [[ ${funcstack[1]} == _aye ]]; then _aye \"$@\"; else compdef _aye aye; fi\n";

static const char completion_fish[] =
	"# What makes fish complete the words of aye.\n"
	"function __aye_words\n"
	"	set -l typed (commandline -opc)\n"
	"	$typed[1] completion words -- $typed[2..-1] (commandline -ct | string unescape) "
	"2>/dev/null\n"
	"end\n"
	"complete -c aye -f -a '(__aye_words | string match -v \"" COMPLETION_FILE "*\")'\n"
	"complete -c aye -n '__aye_words | string match -q \"" COMPLETION_FILE "*\"' -F\n";

const char *completion_script(const char *shell)
{
	static const struct {
		const char *shell;
		const char *script;
	} rows[] = {{"bash", completion_bash}, {"zsh", completion_zsh}, {"fish", completion_fish}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(shell, rows[i].shell) == 0) {
			return rows[i].script;
		}
	}
	return NULL;
}
