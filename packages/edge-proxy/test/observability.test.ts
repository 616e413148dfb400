/** The dashboard and the alert rules name what the proxy exports, and nothing else. */
import { parser } from '@prometheus-io/lezer-promql';
import { beforeAll, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { PATIENT } from '../../../scripts/test-limits.ts';
import { loadTelemetry, telemetryOf } from '../src/telemetry/telemetry-of.ts';
import { stopClock } from '../test-support/clock.ts';
import { FakeCollector, OTEL_ENVIRONMENT } from '../test-support/fake-collector.ts';
import { FakeUpstream } from '../test-support/fake-upstream.ts';

interface Dashboard {
  readonly schemaVersion: number;
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
  readonly templating: { readonly list: readonly { readonly query: string }[] };
}

interface Rules {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string; readonly runbook_url: string };
}

const FILES = {
  ...import.meta.glob('../observability/*', { query: '?raw', import: 'default', eager: true }),
  ...import.meta.glob('../../../docs/guides/{observe,on-call}.md', { query: '?raw', import: 'default', eager: true }),
};
const file = (name: string): string => {
  const [, text] = Object.entries(FILES).find(([path]) => path.endsWith(`/${name}`)) ?? [];
  return String(text);
};
const dashboard = JSON.parse(file('grafana-dashboard.json')) as Dashboard;
const rules = (parse(file('alert-rules.yaml')) as Rules).groups.flatMap((group) => group.rules);
const panels = dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const));
const queries = [...panels, ...rules.map(({ alert, expr }) => [alert, expr] as const)];

/** Metrics and labels that Prometheus would have, from one export of everything that can be measured. */
const exported = { metrics: new Set<string>(), labels: new Set(['job', 'le']) };

beforeAll(async () => {
  stopClock();
  await loadTelemetry(OTEL_ENVIRONMENT);
  const collector = new FakeCollector(new FakeUpstream().install());
  const telemetry = telemetryOf({ ...OTEL_ENVIRONMENT, OTEL_SERVICE_NAME: 'everything' });
  telemetry?.beginRequest(undefined).end({ method: 'GET', route: '/', status: 200, durationMs: 1 });
  telemetry?.upstreamCall({ operation: 'pay', durationMs: 1 });
  telemetry?.latePoll(1);
  const attempt = { property: 'aurora', status: 200, durationMs: 1, lagMs: 1, eventId: 'ev_1', host: 'hooks.test' };
  telemetry?.webhookAttempt({ ...attempt, outcome: 'accepted' });
  telemetry?.unknownOutcome('charge', 'aurora');
  telemetry?.unresolvedOutcomes('charge', 'aurora', 1);
  telemetry?.endpointChange('paused', 'aurora');
  telemetry?.upstreamReport('down', 'aurora');
  telemetry?.keyRefusal({ reason: 'address', key: 'web', property: 'aurora' });
  vi.setSystemTime(Date.now() + 20_000);
  telemetry?.flush();
  const metrics = () => new Set(collector.points.map(({ metric }) => metric));
  await vi.waitFor(() => expect(metrics().size).toBe(10), PATIENT);
  for (const { metric, unit, type, attributes } of collector.points) {
    const name = metric.replaceAll('.', '_') + (unit === 's' ? '_seconds' : '');
    const suffixes = { counter: ['_total'], gauge: [''], histogram: ['_bucket', '_count', '_sum'] };
    for (const suffix of suffixes[type]) exported.metrics.add(name + suffix);
    for (const label of Object.keys(attributes)) exported.labels.add(label.replaceAll('.', '_'));
  }
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** The words of one kind in an expression; throws when it is no PromQL. */
function words(expression: string, kind: 'Identifier' | 'LabelName' | 'MatrixSelector'): string[] {
  // Grafana's own variables stand where a duration does.
  const promql = expression.replaceAll(/\$__\w+/g, '5m');
  const found: string[] = [];
  parser.parse(promql).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError) throw new Error(`not PromQL at ${from}: ${promql}`);
      if (type.name === kind) found.push(promql.slice(from, to));
    },
  });
  return found;
}

test.each(queries)('%s asks for metrics and labels that the proxy exports', (_title, expression) => {
  const metrics = words(expression, 'Identifier');
  expect(metrics.length).toBeGreaterThan(0);
  expect(metrics.filter((name) => !exported.metrics.has(name))).toEqual([]);
  expect(words(expression, 'LabelName').filter((name) => !exported.labels.has(name))).toEqual([]);
});

const instrumentOf = (metric: string): string => metric.replace(/_(bucket|count|sum|total)$/, '');

test('the dashboard shows everything that is exported', () => {
  const shown = new Set(panels.flatMap(([, expression]) => words(expression, 'Identifier')));
  const shownInstruments = new Set([...shown].map(instrumentOf));
  expect([...exported.metrics].filter((name) => !shownInstruments.has(instrumentOf(name)))).toEqual([]);
  expect(dashboard.templating.list.map(({ query }) => query)).toEqual([
    'prometheus',
    'label_values(http_server_request_duration_seconds_count, job)',
  ]);
});

// After five minutes an instant no longer sees a sample, and a dashboard of days has its points further apart.
test.each(queries)('%s looks at spans of time', (_title, expression) => {
  expect(words(expression, 'MatrixSelector').length).toBe(words(expression, 'Identifier').length);
});

test('failing requests are not hidden by good health, or by the polls of a page that waits; bad health is one of them', () => {
  const { expr = '' } = rules.find(({ alert }) => alert === 'InnkeepServerErrors') ?? {};
  const failing = 'innkeep_status_class="5xx"';
  const chosen = expr.match(/(?<=_count\{)[^}]*/g);
  const ofOneRoute = [failing, 'innkeep_status_class!=""'];
  expect(chosen).toEqual([failing, failing, 'http_route!="/healthz",innkeep_status_class!=""', ...ofOneRoute]);
});

test('each alert has a severity, words, and the task of whoever is on call', () => {
  const guide = file('observe.md');
  const tasks = file('on-call.md').split(/^## /m);
  for (const { alert, labels, annotations } of rules) {
    expect(['critical', 'warning']).toContain(labels.severity);
    expect(annotations.summary && annotations.description).toBeTruthy();
    const anchor = annotations.runbook_url.split('#')[1];
    const task = tasks.find((each) => each.split('\n', 1)[0]?.toLowerCase().replaceAll(' ', '-') === anchor);
    expect(task).toContain(`\`${alert}\``);
  }
  for (const metric of exported.metrics) {
    if (!/_(bucket|count)$/.test(metric)) expect(guide).toContain(metric.replace(/_sum$/, ''));
  }
});
