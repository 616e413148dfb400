/** What the templates of every framework may set, and hear. */
import type {
  DeskChangeDetail,
  DeskFilterDetail,
  DeskSelectDetail,
  PaymentDetails,
  PaymentsDesk,
  PaymentsList,
} from '@innkeep/desk';

type Shared = 'endpoint' | 'locale' | 'theme' | 'getClientSecret' | 'messages';
type Some<Element, Name extends keyof Element> = { [Each in Name]?: Element[Each] | undefined };

type Flags<Name extends string> = { [Each in Name]?: true | '' | undefined };

export type PaymentsDeskProps = Some<PaymentsDesk, Shared | 'noFragment' | 'noShortcut'> &
  Flags<'no-fragment' | 'no-shortcut'>;
export type PaymentsListProps = Some<PaymentsList, Shared | 'filter' | 'selected' | 'noShortcut'> &
  Flags<'no-shortcut'>;
export type PaymentDetailsProps = Some<PaymentDetails, Shared | 'payment'>;

/** Events by name, and what a listener is told. */
export interface DeskEvents {
  'desk-select': CustomEvent<DeskSelectDetail>;
  'desk-filter': CustomEvent<DeskFilterDetail>;
  'desk-change': CustomEvent<DeskChangeDetail>;
}
