// Use: import '@innkeep/desk/types/react';
import type { PaymentDetails, PaymentsDesk, PaymentsList } from '@innkeep/desk';
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { DeskEvents, PaymentDetailsProps, PaymentsDeskProps, PaymentsListProps } from './props.d.ts';

type Listeners = { [Name in keyof DeskEvents as `on${Name}`]?: ((event: DeskEvents[Name]) => void) | undefined };
type Attribute = 'endpoint' | 'locale' | 'theme' | 'no-fragment' | 'no-shortcut' | 'selected' | 'payment';

/** React 18 writes everything to attributes: what is a function, an object or in camel case never arrives, and is set by a ref. */
type Supported<Props> = typeof import('react') extends { use: unknown }
  ? Props
  : Pick<Props, Extract<keyof Props, Attribute>> & { [Name in Exclude<keyof Props, Attribute>]?: never };
type Tag<Element, Props> = Supported<Props & Listeners> & DetailedHTMLProps<HTMLAttributes<Element>, Element>;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'payments-desk': Tag<PaymentsDesk, PaymentsDeskProps>;
      'payments-list': Tag<PaymentsList, PaymentsListProps>;
      'payment-details': Tag<PaymentDetails, PaymentDetailsProps>;
    }
  }
}
