/** What must hold of the hotels of the directory, held against the versions that their objects have stored. */
import { type Books, checkSeals, type Version } from './directory-books.ts';
import type { Play } from './history.ts';
import { type Attempt, hashOf } from './operator.ts';
import { type Call, DIRECTORY_HOTELS, type HotelName, type Json, type KeyUse } from './world.ts';

/** When a change counts everywhere. */
const COUNTS_MS = 5_000;
/** How long a request may be on its way to the payment service after its configuration was read: it may have to log in. */
const SEND_MS = 65_000;

export function checkDirectory(play: Play, books: Books): void {
  checkVersions(play, books);
  checkSeals(play.world, books);
  checkKeyUses(play, books);
  checkFreeKeys(play, books);
  checkSent(play, books);
  checkHolders(play, books);
  checkHands(play);
}

/** Every version is there, and is what the operator was told. */
function checkVersions({ operator, world }: Play, books: Books): void {
  for (const [hotel, versions] of books) {
    const numbers = versions.map(({ version }) => version).join();
    if (numbers !== versions.map((_, nth) => nth + 1).join())
      world.breaks('change-kept', `${hotel} has the versions ${numbers}`);
    for (const attempt of operator.attempts) {
      const problem = attempt.hotel === hotel ? problemOf(attempt, versions) : undefined;
      if (problem !== undefined) world.breaks('change-kept', `${hotel}: ${problem}`);
    }
  }
}

/** Whom a key serves, and whom it no longer does. */
function checkKeyUses(play: Play, books: Books): void {
  const { world } = play;
  for (const use of world.keyUses) {
    const { call, key } = use;
    const holds = (hotel: HotelName): boolean[] =>
      inForce(play, books, { hotel, from: call.at - COUNTS_MS, to: call.answeredAt ?? call.at }).map(
        (version) => !version.isRemoved && (key === undefined || hashesOf(version).includes(hashOf(key))),
      );
    const own = holds(use.hotel);
    // A key that two hotels were meant to have is the other's.
    const others = key === undefined ? [] : DIRECTORY_HOTELS.filter((hotel) => hotel !== use.hotel).flatMap(holds);
    const who = key === undefined ? 'the operator' : `key ${play.operator.keys.findIndex((each) => each.key === key)}`;
    const what = `${who} of ${use.hotel} was answered ${String(call.answer?.status)} ${String(call.answer?.body.code ?? '')}`;
    if (![...own, ...others].includes(true) && isServed(use)) world.breaks('revoked-key-ends', what);
    const isSomebodys = !own.includes(false) || DIRECTORY_HOTELS.some((hotel) => isHeldAllAlong(holds(hotel)));
    if ((key === undefined ? !own.includes(false) : isSomebodys) && isRefused(use)) world.breaks('change-counts', what);
  }
}

/** Whether a call was not answered before, and had begun by, what was asked meanwhile. */
function isUnderWay(call: Call, { from, to }: { readonly from: number; readonly to: number }): boolean {
  return call.at <= to && (call.answeredAt ?? Number.POSITIVE_INFINITY) >= from;
}

function isHeldAllAlong(holds: readonly boolean[]): boolean {
  return holds.length > 0 && !holds.includes(false);
}

/** A key that was refused because it is another hotel's is another hotel's. */
function checkFreeKeys(play: Play, books: Books): void {
  const { attempts } = play.operator;
  for (const { hotel, body, call } of attempts) {
    const { status, body: answer } = call.answer ?? {};
    const [, nth] = /^merchantKeys\.(\d+)\.sha256$/.exec(String(answer?.param)) ?? [];
    const hash = nth === undefined ? undefined : keysOf(body)[Number(nth)];
    // What a change does not name it keeps, a key that has gone to another hotel among it.
    if (status !== 400 || hash === undefined) continue;
    const during = { from: call.at, to: call.answeredAt ?? call.at, asked: call };
    const mayBeTaken = DIRECTORY_HOTELS.some((other) => {
      if (other === hotel) return false;
      // What came to nothing may have claimed its keys all the same, and what is under way claims them before it is stored. A change that
      // names none claims those that its hotel has.
      const had = books.get(other)?.some((version) => hashesOf(version).includes(hash));
      const claims = attempts.some(
        (each) =>
          each.hotel === other &&
          (!isMade(each.call) || isUnderWay(each.call, during)) &&
          (each.body?.merchantKeys === undefined ? had && each.action !== 'removed' : keysOf(each.body).includes(hash)),
      );
      const versions = inForce(play, books, { hotel: other, ...during });
      return claims || versions.some((version) => !version.isRemoved && hashesOf(version).includes(hash));
    });
    if (!mayBeTaken) play.world.breaks('free-key', `${hotel} was refused a key that nobody has`);
  }
}

/** With which configuration the payment service was asked. */
function checkSent(play: Play, books: Books): void {
  const { world } = play;
  for (const { body, at, hotel, operation, origin, sender } of world.sent) {
    if (!books.has(hotel) || body.user === undefined) continue;
    const possible = inForce(play, books, { hotel, from: at - COUNTS_MS - SEND_MS, to: at });
    // A charge keeps the hotel's name in the books, in which it was begun, and a reversal that of its payment; where it goes is
    // decided when it goes.
    const isNamed = operation === 'reversal' || possible.some(({ configuration }) => configuration?.user === body.user);
    if (!isNamed || !possible.some(({ configuration }) => configuration?.baseUrl === origin)) {
      world.breaks('change-counts', `${sender} sent ${operation} to ${origin} as “${String(body.user)}”`);
    } else if (operation.startsWith('init') && possible.every(({ isRemoved }) => isRemoved)) {
      world.breaks('removed-begins-nothing', `${sender} opened a page of ${hotel}, which is removed`);
    }
  }
}

/**
 * The versions that may count between two instants: the newest that was acknowledged before the first, and what came since. For a call
 * that was sent at the first, only what was acknowledged by then: other calls may be answered at the same instant.
 */
function inForce(
  { operator }: Play,
  books: Books,
  {
    hotel,
    from,
    to,
    asked,
  }: { readonly hotel: HotelName; readonly from: number; readonly to: number; readonly asked?: Call },
): Version[] {
  const known = operator.attempts
    .filter(({ call, ...attempt }) => attempt.hotel === hotel && isMade(call))
    .filter(({ call }) =>
      asked === undefined ? Number(call.answeredAt) <= from : Number(call.answeredNth) <= asked.answersBefore,
    )
    .map(({ call }) => Number(call.answer?.body.version));
  const oldest = Math.max(1, ...known);
  return (books.get(hotel) ?? []).filter(({ version, at }) => version >= oldest && (at <= to || version === oldest));
}

/** What is wrong with a change that the operator was told of. */
function problemOf({ action, displayName, version, call }: Attempt, versions: readonly Version[]): string | undefined {
  if (!isMade(call)) return undefined;
  const made = Number(call.answer?.body.version);
  if (version === undefined && action !== 'created') return `version ${made} was made without a version to change`;
  const row = versions.find((each) => each.version === made);
  if (row === undefined) return `version ${made} was acknowledged and is not there`;
  // Nothing to do: it was so already.
  if (displayName === undefined && made === version) return undefined;
  if (row.action !== action) return `version ${made} was acknowledged as ${action} and is ${row.action}`;
  if (version !== '*' && made !== (version ?? 0) + 1)
    return `a change of version ${version} was acknowledged as version ${made}`;
  if (displayName !== undefined && row.configuration?.displayName !== displayName) {
    return `version ${made} was acknowledged as “${displayName}” and is “${String(row.configuration?.displayName)}”`;
  }
  return undefined;
}

/** No key ever belongs to two hotels. */
function checkHolders({ world }: Play, books: Books): void {
  const spans = [...books].flatMap(([hotel, versions]) =>
    versions.flatMap((version, nth) =>
      (version.isRemoved ? [] : hashesOf(version)).map((hash) => ({
        hotel,
        hash,
        from: version.at,
        to: versions[nth + 1]?.at ?? Number.POSITIVE_INFINITY,
      })),
    ),
  );
  for (const [nth, one] of spans.entries()) {
    for (const other of spans.slice(nth + 1)) {
      if (one.hash !== other.hash || one.hotel === other.hotel || one.from >= other.to || other.from >= one.to)
        continue;
      world.breaks('one-owner', `${one.hotel} and ${other.hotel} have the same key`);
    }
  }
}

/** Nothing of a hotel goes through the hands of another. */
function checkHands({ world, seen }: Play): void {
  for (const { sender, hotel } of world.sent) {
    const owner = seen.get(sender.split('/')[1] ?? '')?.hotel ?? hotel;
    if (owner !== hotel) world.breaks('hotels-apart', `${sender} of ${owner} was sent to ${hotel}`);
  }
  for (const { hotel, event } of world.deliveries) {
    const { property = hotel } = (event.data as { object: Json }).object;
    if (property !== hotel) world.breaks('hotels-apart', `${hotel} was told of ${String(property)}`);
  }
}

function hashesOf({ configuration }: Version): string[] {
  return keysOf(configuration);
}

function keysOf(configuration: Json | undefined): string[] {
  const keys = (configuration?.merchantKeys ?? []) as readonly { sha256: string }[];
  return keys.map(({ sha256 }) => sha256);
}

function isMade({ answer }: Call): boolean {
  return answer?.status === 200 || answer?.status === 201;
}

/** Whether the key was called wrong, or the hotel gone. */
function isRefused({ key, call: { answer } }: KeyUse): boolean {
  return key === undefined ? answer?.body.param === 'Innkeep-Property' : answer?.status === 401;
}

/** Whether somebody acted upon the call. When the directory cannot be read, nobody does. */
function isServed(use: KeyUse): boolean {
  const status = use.call.answer?.status;
  return typeof status === 'number' && status < 500 && !isRefused(use);
}
