import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { expect } from 'vitest';
import { ROOT } from '../../scripts/launch.ts';
import { serveHttp } from '../support/serve-http.ts';
import { findPromtool } from './promtool.ts';

const RULES = join(ROOT, 'packages/edge-proxy/observability/alert-rules.yaml');
const SAMPLES_S = 10;
const EVALUATION_S = 30;

type Labels = Readonly<Record<string, string>>;
type KeyValues = readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];

interface Point {
  readonly attributes: KeyValues;
  readonly timeUnixNano: string;
  readonly asDouble?: number;
  readonly count?: number;
}

interface Metric {
  readonly name: string;
  readonly unit: string;
  readonly sum?: { readonly dataPoints: readonly Point[] };
  readonly gauge?: { readonly dataPoints: readonly Point[] };
  readonly histogram?: { readonly dataPoints: readonly Point[] };
}

interface Export {
  readonly resourceMetrics: readonly {
    readonly resource: { readonly attributes: KeyValues };
    readonly scopeMetrics: readonly { readonly metrics: readonly Metric[] }[];
  }[];
}

/** When an alert fires, and an instant at which it no longer does. */
interface AlertSpan {
  readonly from: number;
  readonly to: number;
  readonly over: number;
}

/** A collector as the guide sets it up, and behind it Prometheus with the rules that are shipped. What is exported later is not older than now. */
export async function startPrometheus(folder: string) {
  const promtool = findPromtool();
  if (promtool === undefined) {
    throw new Error(
      'The alert rules are tried by promtool and there is none. Install it (macOS: `brew install prometheus`).',
    );
  }
  const startedAt = Date.now();
  /** Of each series its samples, by the number of their interval. */
  const series = new Map<string, number[]>();
  const sums = new Map<string, number>();

  function receive({ resourceMetrics }: Export): void {
    for (const { resource, scopeMetrics } of resourceMetrics) {
      const { service_name: job = '', service_instance_id: instance = '' } = toLabels(resource.attributes);
      for (const { name: given, unit, sum, gauge, histogram } of scopeMetrics.flatMap(({ metrics }) => metrics)) {
        const name = `${given.replaceAll('.', '_')}${unit === 's' ? '_seconds' : ''}`;
        const suffix = sum !== undefined ? '_total' : histogram !== undefined ? '_count' : '';
        for (const point of (sum ?? gauge ?? histogram)?.dataPoints ?? []) {
          const id = `${name}${suffix}${textOf({ job, instance, ...toLabels(point.attributes) })}`;
          const samples = series.get(id) ?? [];
          series.set(id, samples);
          // What is counted comes as what was added since the export before.
          const before = gauge === undefined ? (sums.get(id) ?? 0) : 0;
          const seconds = (Number(point.timeUnixNano) / 1_000_000 - startedAt) / 1_000;
          const value = before + (point.asDouble ?? point.count ?? 0);
          sums.set(id, value);
          samples[Math.ceil(seconds / SAMPLES_S)] = value;
        }
      }
    }
  }

  const collector = await serveHttp(async (request, response) => {
    const body = await json(request);
    if (request.url === '/v1/metrics') receive(body as Export);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });

  /** The number of seconds at the last evaluation before an instant. */
  const evaluationAt = (at: number): number => {
    const seconds = (at - startedAt) / 1_000;
    return seconds - (seconds % EVALUATION_S);
  };

  function evaluate(tests: readonly object[]): void {
    const file = join(folder, 'alerts.test.json');
    const input = [...series].map(([id, samples]) => ({
      series: id,
      values: Array.from(samples, (value) => value ?? '_').join(' '),
    }));
    const test = { interval: `${SAMPLES_S}s`, input_series: input, promql_expr_test: tests };
    const content = { rule_files: [RULES], evaluation_interval: `${EVALUATION_S}s`, tests: [test] };
    writeFileSync(file, JSON.stringify(content));
    const { status, stdout, stderr } = spawnSync(promtool ?? '', ['test', 'rules', file], { encoding: 'utf8' });
    expect([status, status === 0 ? '' : `${stdout}${stderr}`]).toEqual([0, '']);
  }

  const firing = (name: string) => `ALERTS{alertname="${name}",alertstate="firing"}`;
  return {
    ...collector,
    /** Restarts the collector: what it sums begins at 0. */
    restartCollector: () => sums.clear(),
    /** How many samples there are of the series with this in their text. */
    samples: (text: string): number =>
      [...series].flatMap(([id, samples]) => (id.includes(text) ? Object.keys(samples) : [])).length,
    /** Expects an alert at each evaluation of a span of time, both ends included, once, and with these labels; and none once it is over. */
    expectAlert(name: string, labels: Labels, { from, to, over }: AlertSpan): void {
      const expr = `count by (${Object.keys(labels).join(', ')}) (${firing(name)})`;
      const tests: object[] = [];
      for (let at = evaluationAt(from) + EVALUATION_S; at <= evaluationAt(to); at += EVALUATION_S) {
        tests.push({ expr, eval_time: `${at}s`, exp_samples: [{ labels: textOf(labels), value: 1 }] });
      }
      expect(tests.length).toBeGreaterThan(0);
      evaluate([...tests, { expr: firing(name), eval_time: `${evaluationAt(over)}s`, exp_samples: [] }]);
    },
  };
}

function textOf(labels: Labels): string {
  return `{${Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`)}}`;
}

function toLabels(list: KeyValues): Labels {
  return Object.fromEntries(list.map(({ key, value }) => [key.replaceAll('.', '_'), value.stringValue ?? '']));
}
