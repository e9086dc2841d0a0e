import type { Story } from '@parley/sample/story'

const bins = new WeakMap<Story, Map<string, unknown>>()

/** Where a domain of the story keeps what was deleted, so that it can be restored. @param domain `bots` */
export function binOf<T>(story: Story, domain: Extract<keyof Story, string>): Map<string, T> {
  const bin = bins.get(story) ?? new Map<string, unknown>()
  bins.set(story, bin)
  const removed = bin.get(domain) ?? new Map<string, T>()
  bin.set(domain, removed)
  // Each domain puts its own records in and takes them out, by the name that only it uses.
  return removed as Map<string, T>
}
