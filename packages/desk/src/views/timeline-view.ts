/** What happened to a payment, in words, the oldest first. */
import type { Payment } from '@innkeep/core/contract';
import { html, nothing, type TemplateResult } from 'lit';
import { cardText } from './card-view.ts';
import { type Format, fill } from './format.ts';

interface Moment {
  readonly at: string | null;
  readonly text: string;
  readonly by?: Payment['by'] | undefined;
  readonly note?: string | null | undefined;
}

/** The list of everything that happened. */
export function timelineView(payment: Payment, format: Format): TemplateResult {
  const moments = momentsOf(payment, format).filter(({ at }) => at);
  moments.sort((one, other) => String(one.at).localeCompare(String(other.at)));
  return html`<section aria-labelledby="timeline"><h3 id="timeline">${format.texts.timeline}</h3>
    <ol class="timeline">${moments.map(
      ({ at, text, by, note }) => html`<li><time datetime=${at ?? ''}>${format.dateTime(at ?? '')}</time>
        <span>${text}${by ? html` <span class="hint">${authorText(by, format)}</span>` : nothing}
        ${note ? html`<q>${note}</q>` : nothing}</span></li>`,
    )}</ol>
  </section>`;
}

/** Who it was: a person, else the key that was used. */
export function authorText({ person, key }: Payment['by'], { texts }: Format): string {
  return fill(texts.by, { name: person ?? key });
}

/** Why it ended so: in the proxy's words, which are English. */
function whyOf(error: Payment['error'], { locale }: Format): string | undefined {
  return /^en\b/i.test(locale) ? error?.message : undefined;
}

function momentsOf(payment: Payment, format: Format): Moment[] {
  const { texts, money } = format;
  const { type, kind, status, attempts, reversals, amount, completedAt, resolution, createdAt, by } = payment;
  const chargeReasons: Readonly<Record<string, string>> = texts.chargeReasons;
  const reversalReasons: Readonly<Record<string, string>> = texts.reversalReasons;
  const ends: Readonly<Record<string, string>> = texts.attemptEnds;
  const moneyText = amount ? money(amount) : '';
  const resolved = (found: typeof resolution | (typeof attempts)[number]['resolution']): Moment[] => {
    if (!found) return [];
    const { at, by, evidence: note, status } = found;
    return [{ at, text: status === 'succeeded' ? texts.foundPaid : texts.foundNot, by, note }];
  };
  const made: Moment[] =
    type === 'charge'
      ? [
          {
            at: createdAt,
            text: [
              fill(texts.wasCharged, { amount: moneyText, card: cardText(payment.card) }),
              chargeReasons[payment.reason ?? ''],
            ]
              .filter(Boolean)
              .join(' · '),
            by,
            note: payment.note,
          },
          {
            at: resolution ? null : (completedAt ?? (status === 'unknown' ? createdAt : null)),
            text: ends[status === 'partly_reversed' || status === 'reversed' ? 'succeeded' : status] ?? status,
            note: whyOf(payment.error, format),
          },
          ...resolved(resolution),
        ]
      : [
          {
            at: createdAt,
            text: kind === 'card' ? texts.cardRequested : fill(texts.moneyRequested, { amount: moneyText }),
            by,
          },
          ...(payment.endedAt ? [{ at: payment.endedAt, text: texts.takenBack, by: payment.endedBy }] : []),
        ];
  return [
    ...made,
    ...attempts.flatMap(
      ({ startedAt, endedAt, status: end, error, taken, card, late, resolution: found }): Moment[] => [
        { at: startedAt, text: texts.wasOpened },
        {
          // What a person found says it, unless the record said otherwise later.
          at: found?.status === end ? null : (endedAt ?? (end === 'unknown' ? startedAt : null)),
          text: [
            kind === 'card' && end === 'succeeded' ? texts.storedCard : (ends[end] ?? end),
            taken && money(taken),
            cardText(card),
            taken && late && texts.flags.late,
          ]
            .filter(Boolean)
            .join(' · '),
          note: whyOf(error, format),
        },
        ...resolved(found),
      ],
    ),
    ...reversals.flatMap((reversal): Moment[] => {
      const { createdAt: at, amount: back, reason, note, by: author, status: state, error } = reversal;
      const words: Readonly<Record<string, string>> = texts.reversalEnds;
      return [
        {
          at,
          text: [fill(texts.wasGivenBack, { amount: money(back) }), reversalReasons[reason ?? '']]
            .filter(Boolean)
            .join(' · '),
          by: author,
          note,
        },
        ...(reversal.resolution
          ? resolved(reversal.resolution)
          : state === 'succeeded'
            ? []
            : [{ at: reversal.completedAt ?? at, text: words[state] ?? state, note: whyOf(error, format) }]),
      ];
    }),
  ];
}
