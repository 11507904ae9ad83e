// Attacks of a stranger who would lose data, stop the server, or come in by another door. Each row has the point of the
// list that it proves, A for the store, B for fair shares, C for the door; a point without a row fails the table.

const DISK = 'docstore/src/engine/disk';
const FAIR = 'functions-host/src/host/fair.rs';
const LOG = `${DISK}/log/tests.rs`;
const PLANS = 'functions-host/src/product/plans';
const POLICY = 'docstore/rules/tests/policy.rs';
const PROGRAM = 'functions-host/tests/program';
const TAKEOVER = 'auth-emu/tests/suite/takeover.rs';

/** The points. */
export const POINTS = 'A1 A2 A3 A4 A5 A6 B7 B8 B9 B10 B11 B12 C13 C14 C15 C16 C17 C18'.split(' ');

/**
 * Rows of the table in `phrases.mjs`, each with its point.
 * @type {readonly { point: string, phrase: string, from: string, within?: true, beside?: readonly (readonly [string, string])[] }[]}
 */
export const TRUST = [
  {
    point: 'A1',
    phrase: 'sorted queries that fail for good',
    from: 'keys of every form, read from both ends, over both engines of the view',
    within: true,
    beside: [
      [`${DISK}/view/order_tests.rs`, 'the_view_is_an_ordered_map'],
      [`${DISK}/view/order_tests.rs`, 'numbers_of_either_sign_are_read_from_the_end'],
      [`${DISK}/view/key_escape.rs`, 'order_prefixes_and_the_key_itself_are_kept'],
      ['docstore/tests/queries.rs', 'every_plan_finds_what_a_naive_one_finds'],
      ['functions-host/src/host/logging.rs', 'a_message_with_data_in_it_is_left_out'],
    ],
  },
  {
    point: 'A2',
    phrase: 'a view that is believed and should not be',
    from: 'views that are missing, empty, cut, older, of another store',
    within: true,
    beside: [
      [`${DISK}/view/tests.rs`, 'a_view_that_is_missing_empty_or_cut_is_built_again'],
      [`${DISK}/view/tests.rs`, 'a_view_of_another_time_or_another_store_is_built_again'],
      [`${DISK}/view/tests.rs`, 'every_damaged_file_of_fjall_is_noticed'],
      [`${DISK}/view/tests.rs`, 'a_read_that_fails_ends_snapshots_and_the_next_start_builds_the_view_again'],
      [`${DISK}/view/tests.rs`, 'a_snapshot_is_read_back_before_the_former_one_goes'],
      [`${DISK}/view/state.rs`, 'only_a_view_that_holds_what_the_checkpoint_says_is_used'],
    ],
  },
  {
    point: 'A3',
    phrase: 'an end of the log that is missing',
    from: 'last segments cut, zeroed and removed; power cuts in every write',
    within: true,
    beside: [
      [`${DISK}/log_end_tests.rs`, 'a_log_whose_end_is_missing_is_refused_and_left_as_it_is'],
      [
        `${DISK}/log_end_tests.rs`,
        'the_way_out_of_a_log_that_was_cut_names_a_snapshot_only_where_it_is_newer',
      ],
      [LOG, 'damage_before_good_records_is_told'],
      [LOG, 'a_power_cut_loses_nothing_acknowledged'],
      [`${DISK}/tests.rs`, 'power_cuts_lose_nothing_acknowledged'],
    ],
  },
  {
    point: 'A4',
    phrase: 'documents that look like records of the log',
    from: 'magic numbers and whole records in torn tails',
    within: true,
    beside: [
      [LOG, 'bytes_of_users_in_a_torn_tail_are_no_records'],
      [LOG, 'older_records_of_users_in_a_torn_tail_of_format_1_are_no_records'],
      [`${DISK}/fuzz.rs`, 'no_bytes_of_users_pass_for_records'],
    ],
  },
  {
    point: 'A5',
    phrase: 'a full disk and no file handles',
    from: 'disks that fill at every write, idle connections that hold all handles',
    within: true,
    beside: [
      [
        `${DISK}/full_tests.rs`,
        'a_disk_that_is_full_at_any_write_loses_nothing_acknowledged_and_keeps_nothing_refused',
      ],
      [`${DISK}/full_tests.rs`, 'commits_are_refused_in_words_while_there_is_still_room_for_the_view'],
      [`${DISK}/full_tests.rs`, 'a_start_on_a_full_disk_shows_what_was_acknowledged'],
      [`${DISK}/full_tests.rs`, 'without_file_handles_the_open_segment_goes_on_for_a_while'],
      ['functions-host/src/host/machine/handles.rs', 'connections_never_take_all_handles'],
      ['functions-host/src/host/health.rs', 'a_server_without_room_is_not_ready_and_says_why_but_lives'],
    ],
  },
  {
    point: 'A6',
    phrase: 'stored files that change or go',
    from: 'flipped bits, contents that are gone, data that others may read',
    within: true,
    beside: [
      ['storage-emu/src/files/read.rs', 'a_content_with_a_flipped_bit_is_never_sent_to_its_end'],
      [`${PROGRAM}/data/at_rest.rs`, 'a_scrub_reads_everything_and_names_what_is_damaged'],
      [`${PROGRAM}/data/at_rest.rs`, 'everything_a_server_makes_is_its_users_alone'],
      [`${DISK}/scrub.rs`, 'a_row_that_was_lost_changed_or_made_up_is_named'],
      [
        'storage-emu/src/tests/safety.rs',
        'contents_of_deleted_files_go_within_ten_minutes_and_other_uploads_of_them_stay',
      ],
    ],
  },
  {
    point: 'B7',
    phrase: 'indexes that others pay for',
    from: 'one account that asks in every order',
    within: true,
    beside: [
      ['docstore/src/indexer/tests.rs', 'what_one_caller_asks_makes_nobody_elses_commits_dearer'],
      ['docstore/src/indexer/tests.rs', 'one_caller_teaches_few_indexes_whatever_collections_they_are_of'],
      ['docstore/src/indexer/learning.rs', 'a_shape_pays_when_it_is_asked_for_often_and_costs_much'],
    ],
  },
  {
    point: 'B8',
    phrase: 'more than an account may write',
    from: 'bursts, small commits without end, other people’s projects, links, elements of arrays',
    within: true,
    beside: [
      [`${PLANS}/rates/tests.rs`, 'a_caller_has_a_burst_and_then_so_much_a_minute'],
      [`${PLANS}/rates/tests.rs`, 'bytes_are_counted_too'],
      [
        `${PLANS}/size_hook/tests.rs`,
        'documents_of_an_account_and_its_projects_share_the_limit_whoever_writes_them',
      ],
      [`${PLANS}/size_hook/tests.rs`, 'small_changes_pass_a_little_beyond_the_limit_and_end_too'],
      [`${PLANS}/size_hook/tests.rs`, 'elements_that_transforms_add_are_counted'],
      [
        `${PLANS}/sizes/tests.rs`,
        'sums_are_those_of_the_documents_whatever_is_written_and_after_every_restart',
      ],
      [`${PROGRAM}/checkout.rs`, 'a_payment_opens_a_plan_and_its_end_closes_it'],
    ],
  },
  {
    point: 'B9',
    phrase: 'callers behind a proxy',
    from: 'forged headers; nginx and Caddy as the handbook has them',
    within: true,
    beside: [
      [`${PROGRAM}/proxies.rs`, 'wrong_guesses_behind_a_proxy_lock_out_the_guesser_alone'],
      [`${PROGRAM}/proxies.rs`, 'a_proxy_that_says_nothing_opens_nothing'],
      ['functions-host/src/host/origin/tests.rs', 'without_trusted_proxies_headers_mean_nothing'],
      [
        'functions-host/src/host/origin/tests.rs',
        'the_rightmost_address_that_is_no_trusted_proxy_is_the_callers',
      ],
    ],
  },
  {
    point: 'B10',
    phrase: 'one caller who takes everybody’s share',
    from: 'connections, WebChannel sessions, exports, transactions',
    within: true,
    beside: [
      [FAIR, 'an_address_has_its_share_of_connections_and_proxies_and_this_machine_have_none'],
      [FAIR, 'callers_behind_a_proxy_hold_their_share_until_their_answers_have_gone_out'],
      [`${PROGRAM}/exposure.rs`, 'one_caller_cannot_open_all_sessions'],
      [
        'docstore/wire/tests/wire/shares.rs',
        'one_address_opens_its_share_of_sessions_and_leaves_the_rest_to_others',
      ],
      [
        'functions-host/src/product/export_deck/fair_queue.rs',
        'nobody_waits_for_ever_and_who_leaves_is_passed_over',
      ],
      ['docstore/src/txn/tests.rs', 'one_caller_has_so_many_transactions_open'],
    ],
  },
  {
    point: 'B11',
    phrase: 'streams that are never read',
    from: 'Node: gRPC, a hundred streams of a hundred targets on one connection, without an account',
    beside: [
      ['docstore/src/watch/hub/tests.rs', 'who_does_not_read_is_cut_off_where_all_hold_too_much'],
      [
        'docstore/wire/src/service/listen/outgoing.rs',
        'replies_that_nobody_takes_are_bounded_for_one_and_for_all',
      ],
      ['docstore/wire/src/webchannel/session/tests.rs', 'what_waits_for_all_browsers_is_bounded'],
    ],
  },
  {
    point: 'B12',
    phrase: 'transactions that keep others from writing',
    from: 'viewers and strangers who read and do not commit',
    within: true,
    beside: [
      ['docstore/src/txn/tests.rs', 'who_is_under_the_rules_keeps_nobody_from_writing'],
      ['docstore/src/txn/lock_manager/tests.rs', 'waiting_ends_and_a_silent_holder_loses_its_locks'],
    ],
  },
  {
    point: 'C13',
    phrase: 'codes and numbers by a proxy on the same machine',
    from: 'callers that a default nginx passes on',
    within: true,
    beside: [
      [`${PROGRAM}/exposure.rs`, 'codes_leave_by_the_outbox_of_the_data_folder_alone'],
      [`${PROGRAM}/exposure.rs`, 'the_numbers_want_the_operators_token'],
      [`${PROGRAM}/proxies.rs`, 'a_proxy_that_says_nothing_opens_nothing'],
    ],
  },
  {
    point: 'C14',
    phrase: 'what a stranger set before an address was proved',
    from: 'passwords, tokens, providers, by links and by resets',
    within: true,
    beside: [
      [TAKEOVER, 'an_email_link_takes_away_what_a_stranger_set'],
      [TAKEOVER, 'a_reset_takes_away_what_a_stranger_set'],
      [TAKEOVER, 'an_address_that_was_confirmed_by_a_link_alone_is_not_proved'],
    ],
  },
  {
    point: 'C15',
    phrase: 'rules that let in more than they say',
    from: 'each sentence for and against, each statement and number changed; admins in private projects',
    within: true,
    beside: [
      [POLICY, 'every_row_is_decided_as_it_says'],
      [POLICY, 'every_sentence_of_the_rules_has_a_row_for_it_and_one_against'],
      [POLICY, 'every_statement_word_and_number_is_held_by_a_row'],
      [`${PROGRAM}/product.rs`, 'an_admin_sees_a_project_by_its_owners_leave_and_it_is_logged'],
    ],
  },
  {
    point: 'C16',
    phrase: 'ways around a sign-in',
    from: 'factors withdrawn, weak passwords, tokens of the same second, hidden characters, lock-outs of others',
    within: true,
    beside: [
      ['auth-emu/tests/suite/own_account.rs', 'recovery_codes_take_a_recent_sign_in_with_a_second_factor'],
      ['auth-emu/tests/suite/flows.rs', 'an_authenticator_app_as_second_factor'],
      [TAKEOVER, 'weak_passwords_and_hidden_characters_are_for_emulators'],
      [TAKEOVER, 'tokens_of_the_same_second_die_with_the_password'],
      [TAKEOVER, 'wrong_guesses_from_elsewhere_lock_nobody_out'],
      ['auth-emu/tests/suite/own_account.rs', 'one_session_ends_at_once_and_the_others_go_on'],
    ],
  },
  {
    point: 'C17',
    phrase: 'a page of another site at a developer’s emulator',
    from: 'host names that are rebound, origins of others',
    within: true,
    beside: [
      [`${PROGRAM}/exposure.rs`, 'an_emulators_console_is_for_pages_of_its_own_machine'],
      [`${PROGRAM}/console.rs`, 'nobody_else_is_told'],
    ],
  },
  {
    point: 'C18',
    phrase: 'hosts, content types, log lines and clocks',
    from: 'missing and double hosts, pages without TLS, guessed types, long names in exports, clocks that ran ahead',
    within: true,
    beside: [
      [`${PROGRAM}/exposure.rs`, 'a_request_names_one_host'],
      [`${PROGRAM}/exposure.rs`, 'browsers_neither_guess_types_nor_come_back_without_tls'],
      ['docstore/wire/src/status/repeats.rs', 'many_of_a_kind_are_said_once'],
      [`${PROGRAM}/transfer.rs`, 'an_export_of_a_running_server_begins_another'],
      ['functions-host/src/host/clock.rs', 'data_of_a_time_to_come_is_noticed'],
    ],
  },
];
