import { FROM_ADDRESS, type FrameworkPage, indexHtml, tsconfig } from './project.ts';

/** Angular, compiled ahead of time with strict templates and without zones. */
export const angular: FrameworkPage = {
  name: 'angular',
  files: {
    'index.html': indexHtml('./compiled/main.js', '<booking-page></booking-page>'),
    'address.ts': FROM_ADDRESS,
    'tsconfig.json': JSON.stringify({
      ...JSON.parse(tsconfig({ noEmit: false, outDir: 'compiled', rootDir: '.', skipLibCheck: true })),
      angularCompilerOptions: { strictTemplates: true },
    }),
    'main.ts': `
// Angular's own packages are published half compiled.
import '@angular/compiler';
import { Component, CUSTOM_ELEMENTS_SCHEMA, provideZonelessChangeDetection, signal } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import '@innkeep/widgets/define';
import type { PayCompletedEvent } from '@innkeep/widgets/types/angular';
import { clientSecret, endpoint } from './address';

@Component({
  selector: 'booking-page',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: \`
    <pay-widget [endpoint]="endpoint" [clientSecret]="clientSecret" locale="en" (pay-completed)="done($event)">
      <a href="/pay-link">Pay by link</a>
    </pay-widget>
    <p id="paid">{{ paid() }}</p>
  \`,
})
class BookingPage {
  protected readonly endpoint = endpoint;
  protected readonly clientSecret = clientSecret;
  protected readonly paid = signal('');

  protected done(event: Event): void {
    // What the element dispatches under this name.
    this.paid.set((event as PayCompletedEvent).detail.checkout?.id ?? '');
  }
}

void bootstrapApplication(BookingPage, { providers: [provideZonelessChangeDetection()] });
`,
  },
  build: ['ngc', '-p', 'angular/tsconfig.json'],
};
