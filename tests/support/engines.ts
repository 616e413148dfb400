/** The three engines behind one small driver: Chromium, Firefox and WebKit do the same, and a test is written once. */
import { type ChildProcess, spawn } from 'node:child_process';
import { CHROMIUM_ARGS, findChromium } from '../../scripts/chromium.ts';
import { findFirefox, findWebKit } from '../../scripts/engines.ts';
import { freePort } from '../../scripts/launch.ts';
import { importTool } from './toolbox.ts';

export const ENGINES = ['Chromium', 'Firefox', 'WebKit'] as const;
export type EngineName = (typeof ENGINES)[number];

/** Keys that write nothing, and what WebDriver calls them. */
const KEYS = {
  Enter: '\uE007',
  Tab: '\uE004',
  Escape: '\uE00C',
  ArrowDown: '\uE015',
  a: 'a',
  '/': '/',
} as const;
const HELD = { Shift: '\uE008', Control: '\uE009' } as const;
export type Key = keyof typeof KEYS;

/** No add-ons, and no process for a page that nobody opens: they are a third of what its start costs. */
const FIREFOX = {
  'intl.accept_languages': 'en-US',
  'extensions.enabledScopes': 0,
  'dom.ipc.processPrelaunch.enabled': false,
};

/** Without a graphics card, what it draws is copied at less cost than it is shared. */
const WEBKIT = {
  WEBKIT_DISABLE_DMABUF_RENDERER: '1',
  WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
  LANG: 'en_US.UTF-8',
  LANGUAGE: 'en_US',
};

/** A browser with one page. */
export interface EnginePage {
  goto(url: string): Promise<void>;
  /** What an expression is worth in the page. */
  evaluate(expression: string): Promise<unknown>;
  /** Waits, across pages, until an expression is true. */
  waitFor(expression: string): Promise<void>;
  /** How big the page is, from now on. */
  resize(width: number, height: number): Promise<void>;
  /** Types on the keyboard: text, or one key such as `Enter`. */
  type(text: string): Promise<void>;
  press(key: Key, held?: 'Shift' | 'Control'): Promise<void>;
  /** Clicks with the mouse on a point of the window, so often in a row. */
  click(x: number, y: number, times?: number): Promise<void>;
  /** Errors, warnings and uncaught exceptions since the last call. WebDriver, and so WebKit, tells of none. */
  problems(): Promise<string[]>;
  close(): Promise<void>;
}

const WAIT_LIMIT_MS = 100_000;
const COMMAND_LIMIT_MS = 100_000;
const LOOK_EVERY_MS = 50;

/** Starts a browser; `undefined` where the machine has none. */
export async function openEngine(name: EngineName): Promise<EnginePage | undefined> {
  if (name === 'WebKit') return openWebKit();
  const executablePath = name === 'Chromium' ? findChromium() : findFirefox();
  if (executablePath === undefined) return undefined;
  const options = { executablePath, headless: true, timeout: COMMAND_LIMIT_MS, protocolTimeout: COMMAND_LIMIT_MS };
  const puppeteer = (await importTool('tests/support/tools', 'puppeteer-core')) as Puppeteer;
  const browser = await puppeteer.launch(
    name === 'Chromium'
      ? { ...options, browser: 'chrome', args: [...CHROMIUM_ARGS] }
      : { ...options, browser: 'firefox', extraPrefsFirefox: FIREFOX },
  );
  return drivenByPuppeteer(browser);
}

/** What is used of Puppeteer, the one package that drives Debian's Firefox. */
interface Puppeteer {
  launch(options: object): Promise<PuppeteerBrowser>;
}

interface PuppeteerBrowser {
  newPage(): Promise<PuppeteerPage>;
  close(): Promise<void>;
}

interface PuppeteerPage {
  setDefaultTimeout(limitMs: number): void;
  on(event: 'console', tell: (message: { type(): string; text(): string }) => void): unknown;
  on(event: 'pageerror', tell: (error: unknown) => void): unknown;
  goto(url: string): Promise<unknown>;
  evaluate(expression: string): Promise<unknown>;
  setViewport(size: { width: number; height: number }): Promise<void>;
  readonly keyboard: {
    type(text: string): Promise<void>;
    press(key: string): Promise<void>;
    down(key: string): Promise<void>;
    up(key: string): Promise<void>;
  };
  readonly mouse: { click(x: number, y: number, options: { count: number }): Promise<void> };
}

async function drivenByPuppeteer(browser: PuppeteerBrowser): Promise<EnginePage> {
  const page = await browser.newPage();
  page.setDefaultTimeout(COMMAND_LIMIT_MS);
  let problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warn') problems.push(message.text());
  });
  // A page that is left before its requests are answered rejects them.
  page.on('pageerror', (error) => problems.push(error instanceof Error ? error.message : String(error)));
  const evaluate = (expression: string): Promise<unknown> => page.evaluate(expression);
  return {
    goto: async (url) => void (await page.goto(url)),
    evaluate,
    waitFor: (expression) => until(evaluate, expression),
    resize: (width, height) =>
      page.setViewport({ width, height }).catch((error: unknown) => {
        // Firefox 140 has the size by then, and knows nothing of an orientation.
        if (!String(error).includes('unknown command emulation.setScreenOrientationOverride')) throw error;
      }),
    type: (text) => page.keyboard.type(text),
    async press(key, held) {
      if (held) await page.keyboard.down(held);
      await page.keyboard.press(key);
      if (held) await page.keyboard.up(held);
    },
    click: (x, y, count = 1) => page.mouse.click(x, y, { count }),
    async problems() {
      const made = problems;
      problems = [];
      return made;
    },
    close: () => browser.close(),
  };
}

/** Spoken to by plain WebDriver, since no package drives WebKitGTK. */
async function openWebKit(): Promise<EnginePage | undefined> {
  const binary = findWebKit();
  if (binary === undefined) return undefined;
  const port = await freePort();
  const driver = spawn('xvfb-run', ['-a', '-s', '-screen 0 1600x1200x24', 'WebKitWebDriver', `--port=${port}`], {
    // The driver, its display and its browsers are one group, which is ended as one.
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, ...WEBKIT },
  });
  try {
    const command = await connect(port, driver, {
      capabilities: {
        alwaysMatch: { 'webkitgtk:browserOptions': { binary, args: ['--automation'] }, pageLoadStrategy: 'normal' },
      },
    });
    const evaluate = (expression: string): Promise<unknown> =>
      command('/execute/sync', { script: `return ${expression}`, args: [] });
    const keys = async (values: Iterable<string>, held?: string): Promise<void> => {
      const strokes = [...values].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]);
      const actions = held ? [{ type: 'keyDown', value: held }, ...strokes, { type: 'keyUp', value: held }] : strokes;
      await command('/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
    };
    return {
      goto: async (url) => void (await command('/url', { url })),
      evaluate,
      waitFor: (expression) => until(evaluate, expression),
      async resize(width, height) {
        await command('/window/rect', { x: 0, y: 0, width, height });
        // The rest of the window is the browser's own.
        const rest = (await evaluate('[outerWidth - innerWidth, outerHeight - innerHeight]')) as [number, number];
        await command('/window/rect', { width: width + rest[0], height: height + rest[1] });
      },
      type: (text) => keys(text),
      press: (key, held) => keys([KEYS[key]], held && HELD[held]),
      async click(x, y, times = 1) {
        const click = [
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ];
        const move = { type: 'pointerMove', x: Math.round(x), y: Math.round(y) };
        const moves = [move, ...Array.from({ length: times }, () => click).flat()];
        await command('/actions', { actions: [{ type: 'pointer', id: 'mouse', actions: moves }] });
      },
      problems: async () => [],
      async close() {
        await command('', undefined, 'DELETE');
        end(driver);
      },
    };
  } catch (error) {
    end(driver);
    throw error;
  }
}

type Command = (path: string, body?: object, method?: string) => Promise<unknown>;

/** A new session, as soon as the driver listens. */
async function connect(port: number, driver: ChildProcess, wanted: object): Promise<Command> {
  const send = async (path: string, body?: object, method = 'POST'): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}/session${path}`, {
      method,
      signal: AbortSignal.timeout(COMMAND_LIMIT_MS),
      ...(body && { body: JSON.stringify(body) }),
    });
    // Every answer of WebDriver has a value.
    const { value } = (await response.json()) as { value: unknown };
    if (!response.ok) throw new Error(`WebDriver ${path}: ${JSON.stringify(value)}`);
    return value;
  };
  const giveUpAt = Date.now() + COMMAND_LIMIT_MS;
  for (;;) {
    try {
      // The answer to a new session carries its id.
      const { sessionId } = (await send('', wanted)) as { sessionId: string };
      return (path, body, method) => send(`/${sessionId}${path}`, body, method);
    } catch (error) {
      if (driver.exitCode !== null || Date.now() > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }
}

function end(driver: ChildProcess): void {
  if (driver.pid === undefined || driver.exitCode !== null) return;
  try {
    process.kill(-driver.pid);
  } catch {
    // Nobody of the group is left.
  }
}

async function until(evaluate: (expression: string) => Promise<unknown>, expression: string): Promise<void> {
  const giveUpAt = Date.now() + WAIT_LIMIT_MS;
  let failure: unknown;
  while (Date.now() < giveUpAt) {
    try {
      if (await evaluate(`Boolean(${expression})`)) return;
    } catch (error) {
      // A page that is being left has nothing to answer with.
      failure = error;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  const where = await evaluate('location.href + " " + document.body?.innerText').catch(String);
  throw new Error(`Not within ${WAIT_LIMIT_MS} ms: ${expression}\non ${where}`, { cause: failure });
}
