// Use: import '@innkeep/desk/types/vue';
import type { PaymentDetails, PaymentsDesk, PaymentsList } from '@innkeep/desk';
import type { HTMLAttributes } from 'vue';
import type { DeskEvents, PaymentDetailsProps, PaymentsDeskProps, PaymentsListProps } from './props.d.ts';

interface Listeners {
  onDeskSelect?: ((event: DeskEvents['desk-select']) => void) | undefined;
  onDeskFilter?: ((event: DeskEvents['desk-filter']) => void) | undefined;
  onDeskChange?: ((event: DeskEvents['desk-change']) => void) | undefined;
}
type Tag<Element, Props> = new () => Element & { $props: Props & Listeners & HTMLAttributes };

declare module 'vue' {
  interface GlobalComponents {
    'payments-desk': Tag<PaymentsDesk, PaymentsDeskProps>;
    'payments-list': Tag<PaymentsList, PaymentsListProps>;
    'payment-details': Tag<PaymentDetails, PaymentDetailsProps>;
  }
}
