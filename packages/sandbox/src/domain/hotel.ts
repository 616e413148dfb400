/** A small invented hotel, for the gateway's room requests. */
export interface Guest {
  readonly title: string;
  readonly firstname: string;
  readonly lastname: string;
  readonly from: string;
  readonly to: string;
}

/** A room and who stays in it. */
export interface Room {
  readonly number: string;
  /** Account of the stay; empty when the room is vacant. */
  readonly account: string;
  readonly guests: readonly Guest[];
  readonly remarks: string;
}

const AUGUST_STAY = { from: '2026-08-30', to: '2026-09-04' };

// The names are chosen for their letters: umlauts, an eszett, accents, and a euro sign that ISO-8859-1 does not have.
const ROOMS: readonly Room[] = [
  {
    number: '101',
    account: 'A-1001',
    guests: [{ title: 'Herr', firstname: 'Jörg', lastname: 'Weiß', ...AUGUST_STAY }],
    remarks: 'Minibar 12 €, late check-out',
  },
  {
    number: '102',
    account: 'A-1002',
    guests: [
      { title: 'Mme', firstname: 'Zoé', lastname: "D'Aubigné", ...AUGUST_STAY },
      { title: 'M.', firstname: 'René', lastname: 'Lefèvre & fils', ...AUGUST_STAY },
    ],
    remarks: '',
  },
  { number: '103', account: '', guests: [], remarks: '' },
  {
    number: '201',
    account: 'A-2001',
    guests: [{ title: 'Ms', firstname: 'Ann', lastname: 'Guest', from: '2026-09-01', to: '2026-09-02' }],
    remarks: 'Vegetarian breakfast',
  },
];

export function roomNumbered(number: string): Room | undefined {
  return ROOMS.find((room) => room.number === number);
}
