/** Numbers that look random and repeat with the seed, each drawn by name: the order of events does not matter. */
export interface Seeded {
  readonly seed: string;
  /** 0 ≤ number < 1, the same for the same name. */
  number(name: string): number;
  /** 0 … below − 1. */
  below(name: string, below: number): number;
  pick<Item>(name: string, items: readonly [Item, ...Item[]]): Item;
}

export function seeded(seed: string): Seeded {
  const number = (name: string): number => {
    // FNV-1a, then two rounds of mixing: enough for choosing faults.
    let hash = 2_166_136_261;
    for (const character of `${seed}/${name}`) hash = Math.imul(hash ^ character.charCodeAt(0), 16_777_619);
    hash = Math.imul(hash ^ (hash >>> 16), 2_246_822_507);
    hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909);
    return ((hash ^ (hash >>> 16)) >>> 0) / 4_294_967_296;
  };
  const below = (name: string, limit: number): number => Math.floor(number(name) * limit);
  return { seed, number, below, pick: (name, items) => items[below(name, items.length)] ?? items[0] };
}
