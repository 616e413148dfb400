'use client';
/**
 * The payment elements as React components, for React 18 and 19, with and without server rendering.
 *
 * Import path: `@innkeep/react`. On a server they render the bare tag and what is inside it. In the browser, once React has taken the
 * page over, they set properties and listeners on the element, then load its code: nothing changes the page before.
 *
 * @module
 */
import type {
  PayEventMap,
  PaymentStatus as PaymentStatusElement,
  PayWidget as PayWidgetElement,
  SaveCardWidget as SaveCardWidgetElement,
} from '@innkeep/widgets';
import {
  createElement,
  type ForwardedRef,
  type ForwardRefExoticComponent,
  forwardRef,
  type HTMLAttributes,
  type ReactElement,
  type ReactNode,
  type RefAttributes,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';

export type { PayEventMap } from '@innkeep/widgets';

type Setting =
  | 'endpoint'
  | 'clientSecret'
  | 'getClientSecret'
  | 'presentation'
  | 'noRetry'
  | 'locale'
  | 'theme'
  | 'continueHref'
  | 'continueLabel'
  | 'messages';

/** What is set as properties of the element. */
type Settings = { [Name in keyof Pick<PayWidgetElement, Setting>]?: PayWidgetElement[Name] | undefined };

/** Props of the components. Other attributes of an element, such as `data-…` and `aria-…`, are passed on. */
export interface WidgetProps
  extends Pick<HTMLAttributes<HTMLElement>, 'className' | 'dir' | 'id' | 'lang' | 'slot' | 'style' | 'title'>,
    Settings {
  /** The session is known to be open. Once per session. */
  onPayReady?: ((event: PayEventMap['pay-ready']) => void) | undefined;
  /** The hosted page is about to open; `preventDefault()` stops it. Synchronous, inside the click. */
  onPayBeforeOpen?: ((event: PayEventMap['pay-beforeopen']) => void) | undefined;
  /** The state has changed. */
  onPayStateChange?: ((event: PayEventMap['pay-statechange']) => void) | undefined;
  /** Paid, or the card is saved; verified by the proxy. */
  onPayCompleted?: ((event: PayEventMap['pay-completed']) => void) | undefined;
  /** An attempt ended without money: declined, or failed. The session is open for the next one. */
  onPayFailed?: ((event: PayEventMap['pay-failed']) => void) | undefined;
  /** The guest canceled an attempt. The session is open for the next one. */
  onPayCanceled?: ((event: PayEventMap['pay-canceled']) => void) | undefined;
  /** The session has expired; a late answer may still follow. */
  onPayExpired?: ((event: PayEventMap['pay-expired']) => void) | undefined;
  /** Money may have moved; the hotel will check. Not a failure. */
  onPayUnknown?: ((event: PayEventMap['pay-unknown']) => void) | undefined;
  /** The guest goes on to the site's next step; `preventDefault()` keeps a link from being followed. */
  onPayContinue?: ((event: PayEventMap['pay-continue']) => void) | undefined;
  /** A technical failure, which says nothing about the payment. */
  onPayError?: ((event: PayEventMap['pay-error']) => void) | undefined;
  /** What goes into the element: content of its slots, and the link of a page without JavaScript. */
  children?: ReactNode;
}

/**
 * A component of one element. Its ref is the element, with `start()`, `resume()`, `cancel()` and `reset()` once its code has loaded:
 * await `customElements.whenDefined('pay-widget')`, or call them from a listener.
 */
export type WidgetComponent<Widget extends PayWidgetElement | SaveCardWidgetElement | PaymentStatusElement> =
  ForwardRefExoticComponent<WidgetProps & RefAttributes<Widget>>;

/** The elements' own defaults, to which a setting that is taken back returns. */
const DEFAULTS: Readonly<Required<Settings>> = {
  endpoint: undefined,
  clientSecret: undefined,
  getClientSecret: undefined,
  presentation: 'auto',
  noRetry: false,
  locale: undefined,
  theme: 'auto',
  continueHref: undefined,
  continueLabel: undefined,
  messages: undefined,
};

const EVENTS = {
  'pay-ready': 'onPayReady',
  'pay-beforeopen': 'onPayBeforeOpen',
  'pay-statechange': 'onPayStateChange',
  'pay-completed': 'onPayCompleted',
  'pay-failed': 'onPayFailed',
  'pay-canceled': 'onPayCanceled',
  'pay-expired': 'onPayExpired',
  'pay-unknown': 'onPayUnknown',
  'pay-continue': 'onPayContinue',
  'pay-error': 'onPayError',
} as const satisfies Record<keyof PayEventMap, keyof WidgetProps>;

const OWN_PROPS: ReadonlySet<string> = new Set([...Object.keys(DEFAULTS), ...Object.values(EVENTS)]);

/** The code of every element, as a chunk of its own; importing it defines the element. */
const LOADERS = {
  'pay-widget': () => import('@innkeep/widgets/define/pay-widget'),
  'save-card-widget': () => import('@innkeep/widgets/define/save-card-widget'),
  'payment-status': () => import('@innkeep/widgets/define/payment-status'),
} as const satisfies Record<Extract<keyof HTMLElementTagNameMap, `${string}-${string}`>, () => Promise<unknown>>;

/**
 * `<pay-widget>`: pays a checkout session.
 *
 * @example
 * ```tsx
 * import { PayWidget } from '@innkeep/react';
 *
 * export const Pay = ({ secret }: { secret: string }) => (
 *   <PayWidget endpoint="https://pay.hotel.example" clientSecret={secret} onPayCompleted={() => console.log('paid')}>
 *     <a href="/pay-at-the-desk">Pay at the desk</a>
 *   </PayWidget>
 * );
 * ```
 */
export const PayWidget: WidgetComponent<PayWidgetElement> = forwardRef<PayWidgetElement, WidgetProps>(
  function PayWidget(props, ref) {
    return useWidget('pay-widget', props, ref);
  },
);

/** `<save-card-widget>`: stores a card for later charges. */
export const SaveCardWidget: WidgetComponent<SaveCardWidgetElement> = forwardRef<SaveCardWidgetElement, WidgetProps>(
  function SaveCardWidget(props, ref) {
    return useWidget('save-card-widget', props, ref);
  },
);

/** `<payment-status>`: the page that guests come back to. */
export const PaymentStatus: WidgetComponent<PaymentStatusElement> = forwardRef<PaymentStatusElement, WidgetProps>(
  function PaymentStatus(props, ref) {
    return useWidget('payment-status', props, ref);
  },
);

function useWidget<Widget extends HTMLElement>(
  tag: keyof typeof LOADERS,
  props: WidgetProps,
  ref: ForwardedRef<Widget>,
): ReactElement {
  const { children, className, ...others } = props;
  const element = useRef<Widget>(null);
  const latest = useRef(props);
  const given = useRef<Record<string, unknown>>({ ...DEFAULTS });
  const [, fail] = useState<never>();

  // Like every effect, not on a server and not before React has taken over what the server rendered.
  useEffect(() => {
    latest.current = props;
    for (const [name, byDefault] of Object.entries(DEFAULTS)) {
      const value = props[name as keyof Settings] ?? byDefault;
      if (Object.is(given.current[name], value) || element.current === null) continue;
      given.current[name] = value;
      Object.assign(element.current, { [name]: value });
    }
  });
  useEffect(() => {
    const widget = element.current;
    const stops = Object.entries(EVENTS).map(([type, name]) => {
      // Each name belongs to this type of event.
      const listener = (event: Event): void => latest.current[name]?.(event as never);
      widget?.addEventListener(type, listener);
      return () => widget?.removeEventListener(type, listener);
    });
    // A site may have defined the element before; it has waited for its properties and its listeners.
    widget?.removeAttribute('defer-hydration');
    // A failure to load the code belongs to the nearest error boundary.
    LOADERS[tag]().catch((error: unknown) =>
      fail(() => {
        throw error;
      }),
    );
    return () => {
      for (const stop of stops) stop();
    };
  }, [tag]);
  // The element is there whenever a ref is asked for.
  useImperativeHandle(ref, () => element.current as Widget, []);

  const attributes = Object.entries(others).filter(([name]) => !OWN_PROPS.has(name));
  return createElement(
    tag,
    // `class`, since React 18 passes `className` to custom elements as it is.
    { ...Object.fromEntries(attributes), class: className, ref: element, 'defer-hydration': '' },
    children,
  );
}
