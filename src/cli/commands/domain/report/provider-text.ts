import type { Page } from '../../../output/table/page.js';
import type { RenderedReport } from './next-commands.js';

type Provider = RenderedReport['provider'];

/** Describes a parking service and a CDN, as sentences. */
export function serviceSentences(provider: Provider): string[] {
  const { parking, cdn } = provider ?? {};
  return [
    ...(parking === undefined
      ? []
      : [
          `The name servers belong to ${parking.name}, which parks domains. Set other name servers at your registrar.`,
        ]),
    ...(cdn === undefined ? [] : [`The domain leads to ${cdn.name}, a CDN or proxy.`]),
  ];
}

/** The title of the steps in the provider's panel. */
export function panelTitle({ name, date }: { name: string; date: string }): string {
  return `In the panel of ${name} (as of ${date})`;
}

/** Shows how to set the record in the panel of the DNS provider, and the other facts about its services. */
export function showProviderSteps({ provider }: RenderedReport, page: Page): void {
  for (const sentence of serviceSentences(provider)) page.text(sentence, { first: '  ' });
  const { dns } = provider ?? {};
  if (dns === undefined || dns.steps.length === 0) return;
  page.text(`${panelTitle(dns)}:`, { first: '  ' });
  for (const step of dns.steps) page.text(step, { first: '    ', rest: '      ' });
}

/** Shows the services of the domain, with the sources of what is known about them. */
export function showProvider({ provider }: RenderedReport, page: Page): void {
  if (provider === undefined) return;
  page.heading('Services');
  const services = { 'DNS provider': provider.dns, Parking: provider.parking, 'CDN or proxy': provider.cdn };
  for (const [title, service] of Object.entries(services)) {
    if (service === undefined) continue;
    page.text(`${title}: ${service.name} (list of ${service.date})`, { first: '  ' });
    for (const source of service.sources) page.text(source, { first: '    ' });
  }
}
