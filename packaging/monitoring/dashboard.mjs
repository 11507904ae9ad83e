// Prints the dashboard for Grafana: `node dashboard.mjs > grafana-dashboard.json`. A test compares it with the file.

/** Title, unit, and the lines of each panel: legend and expression. */
const PANELS = [
  ['Requests a second', 'reqps', [['{{status}}', 'sum by (status) (rate(tuckbox_requests_total{$where}[5m]))']]],
  [
    'Time to answer',
    's',
    [0.5, 0.95, 0.99].map((quantile) => [
      `p${quantile * 100}`,
      `histogram_quantile(${quantile}, sum by (le) (rate(tuckbox_response_time_seconds_bucket{$where}[5m])))`,
    ]),
  ],
  [
    'Connections',
    'short',
    [
      ['open', 'sum(tuckbox_connections{$where})'],
      ['requests under way', 'sum(tuckbox_requests_in_flight{$where})'],
    ],
  ],
  [
    'Commits a second',
    'ops',
    [
      ['commits', 'sum(rate(tuckbox_commits_total{$where}[5m]))'],
      ['appends', 'sum(rate(tuckbox_commit_appends_total{$where}[5m]))'],
      ['failed appends', 'sum(rate(tuckbox_commit_appends_failed_total{$where}[5m]))'],
    ],
  ],
  [
    'Time of an append to the log',
    's',
    [
      [
        'mean',
        'sum(rate(tuckbox_commit_append_seconds_total{$where}[5m])) / sum(rate(tuckbox_commit_appends_total{$where}[5m]))',
      ],
    ],
  ],
  [
    'Disk',
    'bytes',
    [
      ['log', 'sum(tuckbox_store_log_bytes{$where})'],
      ['snapshots', 'sum(tuckbox_store_snapshots_bytes{$where})'],
      ['view', 'sum(tuckbox_store_view_bytes{$where})'],
      ['free', 'min(tuckbox_disk_free_bytes{$where})'],
    ],
  ],
  [
    'Old versions',
    's',
    [['can be read as of', 'min(tuckbox_store_history_seconds{$where})']],
  ],
  [
    'Waiting for slow readers',
    'bytes',
    [['live queries', 'sum(tuckbox_stream_buffers_bytes{$where})']],
  ],
  [
    'Events for functions',
    'short',
    [
      ['waiting', 'sum(tuckbox_events_waiting{$where})'],
      ['dead letters', 'sum(tuckbox_events_dead_letters{$where})'],
      ['failed a second', 'sum(rate(tuckbox_events_failed_total{$where}[5m]))'],
    ],
  ],
  [
    'Playtest tables',
    'short',
    [
      ['awake', 'sum(tuckbox_tables_awake{$where})'],
      ['sockets', 'sum(tuckbox_table_sockets{$where})'],
    ],
  ],
  [
    'Time to store an act at a table',
    's',
    [0.5, 0.99].map((quantile) => [
      `p${quantile * 100}`,
      `histogram_quantile(${quantile}, sum by (le) (rate(tuckbox_table_append_seconds_bucket{$where}[5m])))`,
    ]),
  ],
  ['Age of the last backup', 's', [['{{instance}}', 'tuckbox_backup_age_seconds{$where}']]],
  ['Commits not copied beside the backups since', 's', [['{{instance}}', 'tuckbox_backup_log_lag_seconds{$where}']]],
  [
    'Health',
    'short',
    [
      ['refuses writes', 'max(tuckbox_store_refuses{$where})'],
      ['data damaged', 'max(tuckbox_store_damaged{$where})'],
    ],
  ],
];

const COLUMNS = 3;
/** Grafana's grid has 24 columns. */
const [WIDTH, HEIGHT] = [24 / COLUMNS, 8];
const SOURCE = { type: 'prometheus', uid: '${source}' };

const panel = ([title, unit, lines], index) => ({
  id: index + 1,
  type: 'timeseries',
  title,
  datasource: SOURCE,
  gridPos: { x: (index % COLUMNS) * WIDTH, y: Math.floor(index / COLUMNS) * HEIGHT, w: WIDTH, h: HEIGHT },
  fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
  options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
  targets: lines.map(([legendFormat, expr], line) => ({
    refId: String.fromCharCode(65 + line),
    datasource: SOURCE,
    legendFormat,
    expr: expr.replaceAll('$where', 'instance=~"$instance"'),
  })),
});

/** The dashboard, as Grafana imports it. */
export const dashboard = {
  uid: 'tuckbox',
  title: 'Tuckbox',
  schemaVersion: 39,
  editable: true,
  refresh: '30s',
  time: { from: 'now-6h', to: 'now' },
  templating: {
    list: [
      { name: 'source', type: 'datasource', query: 'prometheus', label: 'Prometheus' },
      {
        name: 'instance',
        type: 'query',
        label: 'Server',
        datasource: SOURCE,
        query: { query: 'label_values(tuckbox_build_info, instance)', refId: 'servers' },
        refresh: 2,
        includeAll: true,
        multi: true,
        current: { text: 'All', value: '$__all' },
      },
    ],
  },
  panels: PANELS.map(panel),
};

if (import.meta.url === new URL(process.argv[1], 'file:').href) console.log(JSON.stringify(dashboard, null, 2));
