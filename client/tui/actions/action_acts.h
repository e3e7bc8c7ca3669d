/*
 * action_acts.h - the functions named in the rows of act_rows.h; only for
 * client/tui.
 */
#ifndef CLIENT_TUI_ACTION_ACTS_H
#define CLIENT_TUI_ACTION_ACTS_H

#include "client/tui/actions/action_table.h"

/* action_run.c */
action_runs act_go_unvoted, act_vote, act_next, act_history, act_select, act_remove, act_move, act_switch, act_mouse, act_back, act_filter;
action_fills act_fill_token, act_fill_arm, act_fill_role, act_fill_spectate, act_fill_skip, act_fill_restore, act_fill_reveal_story, act_fill_references;
action_offers act_offers_settle, act_offers_filter, act_offers_at_home, act_offers_card, act_offers_together, act_offers_react, act_offers_next;

/* action_question.c */
action_questions act_question_missing, act_question_next, act_question_timer, act_question_select, act_question_quick, act_question_reset, act_question_hide_story, act_question_settle_all, act_question_spectate, act_question_leave;

/* room/summary_view.c */
action_runs act_summary;
action_offers act_offers_summary;

/* room/share_view.c */
action_runs act_begin_share, act_share_at;
action_offers act_offers_share;

/* action_share.c */
action_runs act_invite, act_share;
action_refuses act_refuses_references, act_refuses_reveal_story, act_refuses_share, act_refuses_unshare, act_refuses_qr;

/* action_prompt.c */
action_starts act_start_name, act_start_filter, act_start_value, act_start_settle, act_start_notify, act_start_timer, act_start_comment, act_start_story_comment;
action_offers act_offers_own_vote;
action_refuses act_refuses_no_own_vote;
action_fills act_fill_own_vote;
action_runs act_begin_references, act_begin_settle, act_begin_deck, act_begin_notes, act_begin_description;
action_runs act_name, act_timer, act_unkick, act_add;
action_picks act_pick_reaction;
bool act_is_one_word(const char *typed);
bool act_is_template(const char *typed);

/* complete.c */
action_completes complete_timer, complete_notify;

/* views/home_actions.c */
action_runs home_about, home_begin_create, home_cards, home_come, home_begin_knock, home_knock;
action_questions home_question;
action_refuses home_refuses_no_room, home_refuses_login;
action_offers home_offers_knock;

/* views/asking_view.c */
action_runs asking_begin, asking_begin_to, asking_edit, asking_set, asking_send;
action_starts asking_start;
action_refuses asking_refuses_elsewhere;
action_completes complete_ask_to;

/* views/inbox_view.c */
action_refuses inbox_refuses_strangers, inbox_refuses_empty, inbox_refuses_unanswered, inbox_refuses_ended;
action_offers inbox_offers_asked;
action_runs inbox_come, inbox_open_row, inbox_open_answered, inbox_turn;

/* views/question_page.c */
action_offers inbox_offers_answered, question_offers, question_offers_choice, question_offers_words;
action_starts question_start_comment;
action_runs question_send, question_write, question_comment, question_confidence, question_skip;

/* views/team_actions.c */
action_refuses team_refuses_strangers, team_refuses_none, team_refuses_members, team_refuses_empty;
action_refuses team_refuses_other_room;
action_fills team_fill_role;
action_starts team_start_invite, team_start_name, team_start_setting;
action_questions team_question_role;
action_runs team_open_row, team_turn, team_enter, team_join, team_copy, team_set, team_new_room, team_create_first;

/* views/backlog_actions.c */
action_offers item_offers_story;
action_refuses backlog_refuses_members, backlog_refuses_none, item_refuses_none, item_refuses_uncounted, sources_refuses;
action_fills item_fill_more, item_fill_less;
action_starts backlog_start_name, item_start;
action_questions item_question_adjust;
action_runs sources_open, backlog_open_row, item_story, item_edit, item_sort, item_reread, item_category, item_note;

/* views/settings_view.c */
action_runs act_set, act_notify, act_change;

/* writing.c */
action_runs act_keep;

#endif
