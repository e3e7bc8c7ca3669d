/*
 * action_acts.h - the functions that rows of the table of actions name
 * (action_table.h); only for client/tui.
 */
#ifndef CLIENT_TUI_ACTION_ACTS_H
#define CLIENT_TUI_ACTION_ACTS_H

#include "client/tui/action_table.h"

/* action_run.c */
action_runs act_vote, act_next, act_history, act_select, act_remove, act_move, act_switch, act_mouse, act_back, act_filter, act_invite, act_share;
action_refuses act_refuses_share;
action_fills act_fill_token, act_fill_arm, act_fill_role, act_fill_spectate, act_fill_skip, act_fill_restore;
action_offers act_offers_settle, act_offers_filter;
action_questions act_question_missing, act_question_next, act_question_select, act_question_quick, act_question_reset, act_question_spectate, act_question_leave;

/* action_prompt.c */
action_starts act_start_name, act_start_filter, act_start_title, act_start_settle, act_start_notify, act_start_timer, act_start_comment,
	act_start_edit, act_start_key, act_start_links, act_start_link;
action_runs act_begin_settle, act_begin_deck, act_begin_notes, act_begin_description;
action_runs act_name, act_deck, act_timer, act_unkick, act_add;
bool act_is_one_word(const char *typed);
bool act_is_template(const char *typed);
bool act_is_link(const char *typed);

/* complete.c */
action_completes complete_cards, complete_decks, complete_timer, complete_notify;

/* views/home_actions.c */
action_runs home_about, home_begin_create, home_cards, home_come, home_begin_knock, home_knock;
action_questions home_question;
action_refuses home_refuses_no_room, home_refuses_login;
action_offers home_offers_knock;

/* views/settings_view.c */
action_runs act_set, act_notify, act_change;

/* writing.c */
action_runs act_keep;

#endif
