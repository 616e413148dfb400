/** Defects put into the proxy on purpose, to see whether the simulation finds them. */

/** One defect: texts that are replaced while the proxy is loaded. */
export interface Mutant {
  readonly name: string;
  /** What goes wrong with it. */
  readonly means: string;
  readonly edits: readonly { readonly file: string; readonly from: string; readonly to: string }[];
}

/** All of them. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: 'key-not-scoped',
    means: 'another hotel’s charge comes back as a replay',
    edits: [
      {
        file: 'routes/create-charge.ts',
        from: "derivedId('ch', [property.id, 'charge', key])",
        to: "derivedId('ch', ['charge', key])",
      },
    ],
  },
];

/** The mutant of a name. */
export function findMutant(name: string): Mutant {
  const mutant = MUTANTS.find((candidate) => candidate.name === name);
  if (mutant !== undefined) return mutant;
  throw new Error(`There is no mutant ${name}; there are: ${MUTANTS.map((each) => each.name).join(', ')}`);
}
