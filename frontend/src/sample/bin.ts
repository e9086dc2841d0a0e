import type { SampleDataset } from '@parley/sample/sample-dataset'

const bins = new WeakMap<SampleDataset, Map<string, unknown>>()

/** Returns a domain's deleted records in the story, kept so that they can be restored. @param domain `bots` */
export function binOf<T>(sampleDataset: SampleDataset, domain: Extract<keyof SampleDataset, string>): Map<string, T> {
  const bin = bins.get(sampleDataset) ?? new Map<string, unknown>()
  bins.set(sampleDataset, bin)
  const removed = bin.get(domain) ?? new Map<string, T>()
  bin.set(domain, removed)
  // Each domain puts its own records in and takes them out, by the name that only it uses.
  return removed as Map<string, T>
}
