// Attacks by phrase. Every attack of this suite names its phrase; a phrase without any fails the suite. `beside` names the
// tests of other suites that try the same from within, each as its file and its name: one that is gone fails the suite,
// and `scripts/attack --beside` runs them. Phrases that only those try have `within: true`.
//
// Further attacks are elsewhere: `auth-emu/tests/suite/attacks.rs` on accounts alone (races, codes, mail limits, the
// outbox), `docstore/tests/rules.rs` on the rules over the store, `docstore/wire/tests/wire` on each transport.

import { TRUST } from './trust.mjs';

const COPIES = 'functions-host/src/product/copy_assets';
const EXPORTS = 'functions-host/src/product/export_deck';
const OFFERS = 'functions-host/src/product/members/offers/tests.rs';
const MEMBERS = 'functions-host/src/product/members/tests.rs';
const TRANSLATORS = 'functions-host/src/product/members/tests/translators.rs';
const PASSKEYS = 'auth-emu/tests/suite/verified_passkeys.rs';
const WAYS_IN = 'auth-emu/tests/suite/ways_in_by_passkey.rs';
const PROGRAM = 'functions-host/tests/program';
const SAMPLES = 'functions-host/src/product/tables/samples/tests.rs';
const VERSIONS = 'functions-host/src/product/versions/tests';
const CLIENT = 'client/src';

/**
 * The phrases: `from` says where they are tried from, outside of this machine's own network.
 * @type {readonly { phrase: string, from: string, within?: true, beside?: readonly (readonly [string, string])[] }[]}
 */
export const TABLE = [
  { phrase: 'guess', from: 'Node: REST in every form, gRPC by the SDK. Chrome: WebChannel by the SDK' },
  { phrase: 'query', from: 'Node: REST, gRPC. Chrome: WebChannel' },
  { phrase: 'collection group', from: 'Node: REST, gRPC. Chrome: WebChannel' },
  { phrase: 'transaction', from: 'Node: REST, gRPC. Chrome: WebChannel' },
  {
    phrase: 'listener that outlives a role change',
    from: 'Node: REST, gRPC; role, seat and sessions change. Chrome: WebChannel',
  },
  { phrase: 'expired token', from: 'Node: every endpoint' },
  { phrase: 'forged token', from: 'Node: every endpoint' },
  { phrase: 'alg none', from: 'Node: every endpoint' },
  { phrase: 'foreign-project token', from: 'Node: every endpoint' },
  { phrase: 'revoked token', from: 'Node: every endpoint' },
  { phrase: 'path tricks', from: 'Node: raw bytes on a socket; browsers normalise paths before they ask' },
  { phrase: 'codes from outside', from: 'Node: every endpoint that ever told one, and the log' },
  {
    phrase: 'an account for a stranger’s address',
    from: 'Node: password, tokens and mails from before',
    beside: [
      ['auth-emu/tests/suite/takeover.rs', 'no_mail_from_before_leads_back'],
      ['auth-emu/tests/suite/attacks.rs', 'what_is_no_address_is_refused_wherever_one_enters'],
    ],
  },
  {
    phrase: 'sessions of others',
    from: 'Node: listing, ending, tokens of an ended one',
    beside: [
      ['auth-emu/tests/suite/own_account.rs', 'nobody_sees_or_ends_the_sessions_of_others'],
      ['auth-emu/tests/suite/own_account.rs', 'a_session_that_is_being_ended_cannot_go_on_under_new_tokens'],
    ],
  },
  {
    phrase: 'a recovery code',
    from: 'Node: without a first or second factor',
    beside: [
      ['auth-emu/tests/suite/own_account.rs', 'each_recovery_code_signs_in_once'],
      ['auth-emu/tests/suite/own_account.rs', 'of_two_sign_ins_with_one_recovery_code_one_wins'],
      ['auth-emu/tests/suite/own_account.rs', 'recovery_codes_take_a_recent_sign_in_with_a_second_factor'],
    ],
  },
  {
    phrase: 'a passkey',
    from: 'Node: answers that no authenticator gave',
    beside: [
      [PASSKEYS, 'an_answer_works_once_and_for_five_minutes'],
      [PASSKEYS, 'two_sign_ins_with_one_answer_are_one'],
      [PASSKEYS, 'a_sign_in_that_does_not_fit_is_refused'],
      [PASSKEYS, 'an_enrollment_that_does_not_fit_is_refused'],
      [PASSKEYS, 'a_challenge_is_for_one_purpose_and_one_account'],
      [PASSKEYS, 'a_passkey_signs_in_to_its_own_account_only'],
      [PASSKEYS, 'a_counter_that_does_not_grow_is_refused_where_one_counts'],
      [PASSKEYS, 'adding_and_removing_take_a_recent_sign_in'],
      [PASSKEYS, 'a_passkey_stands_for_both_factors_and_only_both_may_add_one'],
      [PASSKEYS, 'a_passkey_set_before_the_address_was_proved_goes'],
      [PASSKEYS, 'any_bytes_are_answered'],
      [WAYS_IN, 'the_last_way_in_stays'],
      [WAYS_IN, 'a_passkey_added_by_whoever_moved_the_address_away_goes_when_it_is_back'],
      [WAYS_IN, 'a_passkey_has_a_name_that_can_be_seen'],
      [WAYS_IN, 'an_account_that_is_disabled_shows_it_to_nobody_without_its_passkey'],
    ],
  },
  { phrase: 'a place in others’ lists', from: 'Node: every path that their queries look into' },
  {
    phrase: 'redirect and host-header tricks in mail links',
    from: 'Node: host headers, places to go on to. Chrome: links followed to their end',
  },
  { phrase: 'CSRF', from: 'Chrome: forms, fetches, frames and windows of another site' },
  { phrase: 'a thousand sign-in guesses', from: 'Node: a thousand passwords, codes and tokens' },
  {
    phrase: 'exports turned against the server',
    from: 'Node: addresses inside, images of many pixels, documents nobody can read',
    beside: [
      [`${CLIENT}/headless/files/files.test.ts`, 'no other address is asked, however it is written'],
      [`${CLIENT}/headless/files/files.test.ts`, 'no more is taken in than may be: of an answer without end'],
      [`${CLIENT}/headless/files/new-file.test.ts`, 'what would be past its size is not written'],
      [`${CLIENT}/headless/project/project.test.ts`, 'a document that cannot be read is left out and said'],
      [`${CLIENT}/render/images/image-registry.test.ts`, 'a picture of too many pixels is not decoded'],
      [
        `${CLIENT}/render/canvas/layers.test.ts`,
        'effects inside one another get coarser instead of taking all memory',
      ],
      [
        `${CLIENT}/data/mend/mend.test.ts`,
        'whatever one place is damaged with, the document can be read again',
      ],
      [`${EXPORTS}/run.rs`, 'what_grows_ends_and_the_caller_is_told_why'],
      [`${EXPORTS}/run.rs`, 'what_takes_too_long_ends_with_what_it_wrote'],
      [`${EXPORTS}/program.rs`, 'folders_left_behind_are_swept_and_those_in_use_stay'],
      [`${EXPORTS}.rs`, 'a_complaint_is_one_line_of_the_log_and_not_a_long_one'],
      [`${EXPORTS}/fair_queue.rs`, 'many_calls_of_one_account_do_not_keep_another_waiting'],
      [`${EXPORTS}/capacity.rs`, 'a_small_host_makes_one_export_at_a_time'],
      [`${EXPORTS}/program/shared.rs`, 'a_copy_that_differs_is_replaced_before_it_runs'],
    ],
  },
  {
    phrase: 'a file named in a document',
    from: 'Node: copied from a library and from a project, with its place and its hash known',
    beside: [[`${PROGRAM}/copies.rs`, 'a_document_gives_nobody_a_file_that_lies_elsewhere']],
  },
  {
    phrase: 'images behind a layout',
    from: 'Node: by a layout of one’s own, one that is not shared, and forged places',
    beside: [
      [`${PROGRAM}/copies.rs`, 'whoever_has_the_link_of_a_layout_is_told_of_its_images_and_of_no_others'],
    ],
  },
  {
    phrase: 'copies by a layout',
    from: 'Node: of one that is not shared, of what it does not name, and of fonts without what opens them',
    beside: [
      [`${PROGRAM}/copies.rs`, 'whoever_has_the_link_of_a_layout_copies_its_images_and_no_others'],
      [
        `${PROGRAM}/font_copies.rs`,
        'a_font_is_for_those_who_may_read_a_layout_that_names_it_by_what_opens_it',
      ],
    ],
  },
  {
    phrase: 'a move out of a project',
    from: 'Node: by members who may not change it, into projects of others, and by forged places',
    beside: [
      [`${COPIES}/tests.rs`, 'a_member_demoted_meanwhile_moves_nothing'],
      [`${COPIES}/tests.rs`, 'what_is_used_meanwhile_stays'],
      [`${COPIES}/tests.rs`, 'what_is_deleted_meanwhile_comes_to_nothing'],
      [`${PROGRAM}/copies.rs`, 'a_move_counts_for_the_owner_of_the_project_that_it_goes_to_and_is_whole'],
    ],
  },
  {
    phrase: 'a layout named in a component',
    from: 'Node: by an editor who accepts the invitation again',
  },
  {
    phrase: 'a project that is offered',
    from: 'Node: by a stranger, an editor, a forged offer and a second answer',
    beside: [
      [OFFERS, 'only_the_owner_offers_and_only_the_offered_answers'],
      [OFFERS, 'who_left_or_comes_too_late_gets_nothing'],
      [OFFERS, 'of_acceptance_and_withdrawal_or_removal_one_wins_whole'],
      [OFFERS, 'an_offer_goes_with_its_project'],
    ],
  },
  {
    phrase: 'a removed member',
    from: 'Node: by every link that there is',
    beside: [
      [MEMBERS, 'who_was_taken_out_does_not_come_back_by_a_link'],
      [MEMBERS, 'a_link_lets_in_so_many_and_says_who_they_were'],
      [`${PROGRAM}/playtests.rs`, 'a_removed_member_is_cut_off_and_stays_out'],
      [MEMBERS, 'who_goes_is_taken_off_the_lists_of_players'],
    ],
  },
  {
    phrase: 'a translator',
    from: 'Node: other languages, cells, images, versions, comments, invitations and their own role; single writes and batches',
    beside: [
      [TRANSLATORS, 'owners_alone_change_the_languages_of_a_translator'],
      [TRANSLATORS, 'further_invitations_add_languages_and_older_ones_return_none'],
      [TRANSLATORS, 'whoever_stops_translating_keeps_no_language'],
    ],
  },
  {
    phrase: 'hands of others at a table',
    from: 'Node: calls, gRPC. Chrome: WebChannel',
    beside: [
      [`${PROGRAM}/playtests.rs`, 'hands_are_seen_by_their_seat_alone_on_every_wire'],
      [`${PROGRAM}/playtests.rs`, 'nobody_writes_what_the_server_says_of_tables'],
      [`${PROGRAM}/table/games.rs`, 'in_twenty_random_games_every_byte_was_granted'],
      ['functions-host/src/table/tests/crash.rs', 'a_handle_ends_with_the_act_that_hides_its_piece'],
      ['functions-host/src/table/tests/people.rs', 'the_next_person_of_a_seat_is_sent_nothing_from_before'],
    ],
  },
  {
    phrase: 'a hidden card that is edited',
    from: 'random tables that differ in hidden cards alone, and are edited',
    within: true,
    beside: [
      ['functions-host/table/src/tests/twins.rs', 'a_seat_that_may_not_know_is_sent_the_same_bytes'],
      ['functions-host/table/src/tests/properties.rs', 'leaks_are_found'],
      [
        'functions-host/src/table/tests/live_cards.rs',
        'a_changed_card_is_sent_to_those_who_see_it_and_to_nobody_else',
      ],
      ['functions-host/table/src/game_box/change.rs', 'no_back_on_the_table_is_told_apart_by_a_change'],
    ],
  },
  {
    phrase: 'the code of the first admin',
    from: 'accounts that guess it, give it at once, too late, again, or after an admin was made',
    within: true,
    beside: [
      ['functions-host/src/product/first_admin.rs', 'guesses_are_limited_and_right_codes_wait_too'],
      ['functions-host/src/product/first_admin.rs', 'of_many_who_give_it_at_once_one_is_admin'],
      ['functions-host/src/product/first_admin.rs', 'it_is_good_for_nothing_once_somebody_was_made_admin'],
    ],
  },
  {
    phrase: 'an account on a server that takes none',
    from: 'passwords, links in mails, providers; guests and anonymous accounts',
    within: true,
    beside: [
      ['auth-emu/tests/suite/sign_ups.rs', 'a_closed_server_takes_nobody_new_and_those_who_are_there_go_on'],
      [
        'auth-emu/tests/suite/sign_ups.rs',
        'with_invitations_the_invited_address_is_admitted_however_it_comes',
      ],
      [
        'auth-emu/tests/suite/providers.rs',
        'providers_open_no_server_that_is_closed_or_asks_for_invitations',
      ],
      [
        'functions-host/src/product/members/tests/admitted.rs',
        'an_invitation_admits_its_address_to_the_server_until_it_ends',
      ],
    ],
  },
  {
    phrase: 'a forged backup',
    from: 'files of an encrypted backup that are changed, cut, swapped or put there in plain',
    within: true,
    beside: [
      ['functions-host/src/backup/encrypted.rs', 'what_is_written_is_read_and_nothing_else'],
      ['functions-host/src/backup/encrypted.rs', 'chunks_cannot_change_places'],
      ['functions-host/src/backup/key_tests.rs', 'plain_and_encrypted_backups_are_never_mixed'],
    ],
  },
  {
    phrase: 'hands read from statistics',
    from: 'games that go on, people who do not see the project',
    within: true,
    beside: [
      ['functions-host/table/src/tests/statistics.rs', 'numbers_of_random_games_fit_together'],
      ['functions-host/src/table/tests/results.rs', 'a_game_that_ends_leaves_its_result'],
    ],
  },
  {
    phrase: 'hands read from a replay or a fork',
    from: 'games that go on, links that were closed, forged or guessed, people who do not edit the project',
    within: true,
    beside: [
      [`${PROGRAM}/table/replays.rs`, 'a_replay_shows_what_it_may_and_nothing_before_the_end'],
      [`${PROGRAM}/table/replays.rs`, 'a_replay_is_closed_with_its_link_its_table_and_by_the_admin'],
      [`${PROGRAM}/table/replays.rs`, 'a_table_is_forked_when_nothing_hidden_would_show'],
      ['functions-host/table/src/tests/replays.rs', 'a_replay_is_what_each_seat_was_sent'],
      ['functions-host/table/src/tests/replays.rs', 'hidden_cards_are_in_no_track'],
      ['functions-host/table/src/tests/replays.rs', 'a_fork_leaves_each_seat_its_secrets'],
    ],
  },
  {
    phrase: 'feedback of others',
    from: 'by players, viewers and strangers',
    within: true,
    beside: [[`${PROGRAM}/table/feedback.rs`, 'people_of_a_table_answer_and_makers_of_the_game_read']],
  },
  {
    phrase: 'cards that somebody else brings to a table',
    from: 'by players, members and strangers',
    within: true,
    beside: [
      ['functions-host/src/table/tests/live_cards.rs', 'without_a_packer_a_host_brings_the_cards'],
      ['functions-host/src/table/tests/live_cards.rs', 'a_host_takes_a_change_that_they_have_seen'],
      ['functions-host/table/src/game_box/change.rs', 'changes_that_do_not_fit_are_refused'],
    ],
  },
  {
    phrase: 'a stranger’s socket at a table',
    from: 'Node: other accounts, no token, ids that are none',
    beside: [
      [`${PROGRAM}/playtests.rs`, 'a_strangers_socket_is_told_nothing'],
      [`${PROGRAM}/playtests.rs`, 'whatever_a_client_sends_is_answered_or_ends_its_socket_alone'],
      ['functions-host/src/table/tests/people.rs', 'strangers_get_nothing_and_wake_nothing'],
      ['functions-host/src/host/fair.rs', 'sockets_of_one_address_are_limited'],
      [
        'functions-host/src/host/fair.rs',
        'a_header_that_contradicts_the_proxys_opens_no_way_around_the_limits',
      ],
    ],
  },
  {
    phrase: 'a guest beyond the table',
    from: 'Node: calls, REST, storage, and every way to another session',
    beside: [
      [`${PROGRAM}/table/guests.rs`, 'a_guest_comes_by_the_code_plays_and_reaches_nothing_else'],
      [`${PROGRAM}/table/guests.rs`, 'a_guest_who_deletes_the_account_does_not_come_back_as_more'],
      [`${PROGRAM}/table/guests.rs`, 'a_guest_who_signs_up_keeps_the_seat_and_the_games'],
      [
        'auth-emu/tests/suite/administration.rs',
        'an_account_made_with_a_claim_has_it_in_every_session_and_is_not_made_anew',
      ],
      [
        'functions-host/src/functions/callable/tests.rs',
        'guests_of_a_table_call_what_admits_them_and_nothing_else',
      ],
      [`${CLIENT}/data/account/session.test.ts`, 'a guest of a table is no user'],
    ],
  },
  {
    phrase: 'a sample table',
    from: 'Node: visitors, accounts, guests of it and of another',
    beside: [
      [SAMPLES, 'an_address_opens_three_and_one_more_when_the_first_is_gone'],
      [SAMPLES, 'the_server_has_five_hundred'],
      [SAMPLES, 'whoever_comes_takes_a_free_seat_and_nobody_says_who_comes'],
      [SAMPLES, 'as_many_come_as_may_and_no_account_is_made_for_more'],
      [SAMPLES, 'after_an_hour_it_is_gone_whoever_is_there_and_nothing_is_left'],
      [SAMPLES, 'nobody_brings_a_box_or_a_time'],
    ],
  },
  {
    phrase: 'coming back after being removed',
    from: 'Node: calls, socket, resume, the code',
    beside: [
      [
        'functions-host/src/table/tests/guests.rs',
        'a_kicked_guest_is_gone_at_once_and_does_not_come_back_by_any_way',
      ],
      [`${PROGRAM}/table/guests.rs`, 'a_host_asks_locks_and_shows_out'],
    ],
  },
  {
    phrase: 'codes of tables guessed',
    from: 'Node: one address',
    beside: [
      [`${PROGRAM}/table/guests.rs`, 'wrong_codes_are_limited_and_a_right_one_helps_no_more_then'],
      [
        'functions-host/src/table/guesses.rs',
        'above_sixty_a_minute_in_all_nobody_is_refused_and_everybody_waits',
      ],
      ['functions-host/src/table/guesses.rs', 'an_address_gives_ten_wrong_codes_a_minute'],
    ],
  },
  {
    phrase: 'an act that works for minutes',
    from: 'Node: a button of six thousand steps, by an owner',
    beside: [
      ['functions-host/table/src/tests/scenes.rs', 'a_button_does_no_more_than_an_act_may'],
      [
        'functions-host/table/src/tests/scenes.rs',
        'the_entries_in_memory_have_a_limit_of_bytes_that_a_resumed_session_keeps_too',
      ],
      ['functions-host/src/table/tests/people.rs', 'the_work_of_refused_acts_counts_too'],
      [`${CLIENT}/core/layout/repeated.test.ts`, 'maps share their cells'],
    ],
  },
  {
    phrase: 'a table that takes the server for itself',
    from: 'Node: a hundred whole views of the largest box, names without end',
    beside: [
      ['functions-host/src/table/tests/room_for_others.rs', 'whole_views_have_a_rate_for_each_account'],
      ['functions-host/src/table/tests/room_for_others.rs', 'those_who_ask_at_once_are_sent_one_view'],
      [
        'functions-host/src/table/tests/room_for_others.rs',
        'empty_tables_make_room_and_a_full_owner_keeps_nobody_else_out',
      ],
      ['functions-host/table/src/tests/scenes.rs', 'a_full_log_takes_no_more_and_says_so'],
    ],
  },
  {
    phrase: 'projects that keep the packer of cards for themselves',
    from: 'projects that take as long as they may, at many tables; more pieces than a table holds',
    within: true,
    beside: [
      [
        'functions-host/src/product/pack_cards/turns.rs',
        'an_owner_whose_runs_take_long_rests_and_others_do_not_wait_meanwhile',
      ],
      [
        'functions-host/src/product/pack_cards/turns.rs',
        'tables_of_one_owner_take_turns_and_short_runs_follow_each_other_at_once',
      ],
      [
        `${CLIENT}/core/play/box/pack.test.ts`,
        'what is more than a table holds is refused before its cards are worked out',
      ],
    ],
  },
  {
    phrase: 'a link that names folders of whoever closes it',
    from: 'public links by an editor: other projects, images, libraries',
    within: true,
    beside: [
      [`${CLIENT}/data/rulebooks/publish.test.ts`, 'is not emptied with the rights of whoever closes it'],
      [`${CLIENT}/data/rulebooks/publish.test.ts`, 'the link of another project that a rulebook names stays'],
    ],
  },
  {
    phrase: 'texts that take for ever to read',
    from: 'Markdown, cells, drawings, terms and editions with many beginnings and no ends; objects far outside of a map',
    within: true,
    beside: [
      [`${CLIENT}/core/book/markdown/markdown.test.ts`, 'is read in time that grows with the text'],
      [
        `${CLIENT}/core/book/references/index-terms.test.ts`,
        'a pattern is tried only in blocks that have its words',
      ],
      [
        `${CLIENT}/core/book/comparison/compare.test.ts`,
        'many blocks that say something else throughout share a budget',
      ],
      [`${CLIENT}/core/svg/is-svg.test.ts`, 'comments without a drawing after them are read once'],
      [`${CLIENT}/core/images/sources.test.ts`, 'braces that do not close are passed over at once'],
      [`${CLIENT}/core/text/markup/braces.test.ts`, 'a text of openings alone stays as it is'],
      [`${CLIENT}/core/board/tiled/read-tiled.test.ts`, 'objects far outside of a map are left out'],
    ],
  },
  {
    phrase: 'a shape that nobody can read',
    from: 'Node: heads of rulebooks, numbers that are none, colours that are CSS, by an editor',
    beside: [
      [`${CLIENT}/core/translation/csv.test.ts`, 'texts are refused one by one with the reason'],
      [
        `${CLIENT}/core/translation/cards/card-units.test.ts`,
        'a translation without a placeholder of its source is not printed',
      ],
    ],
  },
  { phrase: 'a forged name', from: 'Node: in comments, presence and at tables' },
  {
    phrase: 'names that every object has',
    from: 'columns called “constructor” and the like, through import, table, formulas, export and archive',
    within: true,
    beside: [
      [`${CLIENT}/data/inherited-names.test.ts`, 'is imported into a table, written out and read again'],
    ],
  },
  {
    phrase: 'sources that never rest and workbooks that unpack to gigabytes',
    from: 'timers that overflow, far cells, directories that lie',
    within: true,
    beside: [
      [
        `${CLIENT}/data/import/workbook.test.ts`,
        'that would unpack to more than fits is refused by its directory',
      ],
      [`${CLIENT}/data/import/workbook.test.ts`, 'that takes too long is given up, and its worker is ended'],
      [`${CLIENT}/data/import/workbook.test.ts`, 'a source that says %s is looked at every %s minutes'],
    ],
  },
  {
    phrase: 'formulas and zones without end',
    from: 'tables of formulas, nested lists, zones that nobody sees',
    within: true,
    beside: [
      [
        `${CLIENT}/data/table/formula/formula-budget.test.ts`,
        'of one budget end the evaluations that share it',
      ],
      [`${CLIENT}/data/table/formula/formula-budget.test.ts`, 'in slices shows what is in sight first'],
      [`${CLIENT}/core/layout/repeated.test.ts`, 'nesting cannot run away'],
      [
        `${CLIENT}/core/layout/repeated.test.ts`,
        'zones that are not shown count among those a card may have',
      ],
      [`${CLIENT}/app/pages/project/opening-gate.dom.test.tsx`, 'the page after one that hung asks'],
      ['client/e2e/specs/editor/unfinished-layout.spec.ts', 'the editor asks, opens without painting'],
    ],
  },
  {
    phrase: 'images that tell on people',
    from: 'addresses on other servers, photos with the place where they were taken',
    within: true,
    beside: [
      [`${CLIENT}/workers/sources/sources.test.ts`, 'only stored files of the same server are fetched'],
      [
        `${CLIENT}/data/images/project-images.test.ts`,
        'an image whose address is not that of a stored file here is none',
      ],
      [`${CLIENT}/render/images/image-metadata.test.ts`, 'places, texts and further pictures go'],
      [
        'client/e2e/specs/images/photos.spec.ts',
        'every orientation is stored upright, and the place of none',
      ],
      [
        'client/e2e/specs/images/photos.spec.ts',
        'in every format, a file is stored without what was written beside its picture',
      ],
    ],
  },
  {
    phrase: 'an account that writes while it is deleted',
    from: 'another tab, and others’ lists of people',
    within: true,
    beside: [
      [`${PROGRAM}/product.rs`, 'an_account_that_another_tab_still_writes_for_is_deleted_whole'],
      [MEMBERS, 'an_account_that_goes_leaves_every_project_and_its_name_there'],
    ],
  },
  {
    phrase: 'invitations as mail bombs',
    from: 'many to one, one to many, words that lead somewhere',
    within: true,
    beside: [
      [
        'functions-host/src/product/members/tests/mail.rs',
        'inviting_and_withdrawing_is_no_way_to_send_mail_all_day',
      ],
      ['functions-host/src/product/members/tests/mail.rs', 'many_accounts_do_not_fill_one_inbox'],
      ['functions-host/src/product/members/tests/mail.rs', 'a_mail_carries_no_words_that_lead_somewhere'],
    ],
  },
  {
    phrase: 'functions that loop, look around and grow',
    from: 'callers that leave, a server that is killed, the server’s own variables, memory outside of the heap',
    within: true,
    beside: [
      ['functions-host/src/functions/node/tests.rs', 'a_loop_ends_at_its_deadline_while_others_go_on'],
      ['functions-host/src/functions/node/tests.rs', 'a_request_behind_a_loop_runs_once_in_another_worker'],
      [`${PROGRAM}/functions/contained.rs`, 'a_loop_ends_when_its_caller_leaves'],
      [`${PROGRAM}/functions/contained.rs`, 'a_loop_ends_with_a_server_that_is_killed'],
      [
        `${PROGRAM}/functions/contained.rs`,
        'functions_see_declared_variables_and_in_serving_mode_nothing_of_the_servers',
      ],
      [`${PROGRAM}/functions/contained.rs`, 'memory_outside_of_the_heap_counts_too'],
    ],
  },
  {
    phrase: 'imports that lead out of their folder',
    from: 'links and `..` in exports, JSON without end in archives',
    within: true,
    beside: [
      [`${PROGRAM}/transfer.rs`, 'an_import_takes_nothing_from_outside_of_its_folder'],
      ['functions-host/src/transfer/inside.rs', 'parts_lie_in_the_folder_and_hold_no_links'],
      [
        `${CLIENT}/core/archive/archive.test.ts`,
        'JSON that is nested too deeply is named, however deep it is',
      ],
    ],
  },
  {
    phrase: 'queries that keep others waiting',
    from: 'many callers, one queue',
    within: true,
    beside: [['docstore/src/query/fair_queue.rs', 'callers_take_turns']],
  },
  {
    phrase: 'sites that lead elsewhere and services that never answer',
    from: 'redirects to other hosts, hidden files, a silent S3',
    within: true,
    beside: [
      ['functions-host/src/hosting/tests.rs', 'no_capture_leads_a_redirect_to_another_host'],
      [
        'functions-host/src/hosting/tests.rs',
        'files_that_begin_with_a_dot_are_served_where_that_is_wanted_alone',
      ],
      [
        'storage-emu/src/blobs/tests.rs',
        'a_service_that_takes_connections_and_never_answers_is_not_waited_for_long',
      ],
    ],
  },
  {
    phrase: 'versions of others’ games',
    from: 'Node: by branches, by links. Within: strangers and viewers, ids that lead elsewhere, names of megabytes, links of other projects',
    beside: [
      [
        `${VERSIONS}/parts.rs`,
        'a_branch_is_compared_with_the_version_that_it_began_as_by_those_who_see_both',
      ],
      [`${VERSIONS}/hostile.rs`, 'only_editors_change_versions_and_strangers_learn_nothing'],
      [`${VERSIONS}/hostile.rs`, 'ids_that_are_none_are_refused_in_words'],
      [`${VERSIONS}/hostile.rs`, 'names_notes_and_paths_have_limits'],
      [`${VERSIONS}/hostile.rs`, 'a_project_that_took_the_address_of_a_version_is_not_written_over'],
      [
        `${VERSIONS}/restores.rs`,
        'rulebooks_that_a_version_has_not_are_put_away_with_their_link_and_brought_back',
      ],
      [`${VERSIONS}/restores.rs`, 'a_deleted_version_closes_its_own_link_and_no_other_projects'],
      [
        `${PROGRAM}/versions.rs`,
        'an_opened_version_is_read_by_those_who_see_the_project_and_written_by_nobody',
      ],
    ],
  },
  ...TRUST,
];

/** The phrases that this suite tries itself. */
export const PHRASES = TABLE.filter(({ within }) => !within).map(({ phrase }) => phrase);
