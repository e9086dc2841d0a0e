import type { ContactFilter, Selection } from './api.ts'

/** Selection: contacts by id, on any page, or everything that the filter matches. */
export type Picked =
  | { readonly kind: 'ids'; readonly ids: ReadonlySet<string>; readonly anchor?: string | undefined }
  | { readonly kind: 'all' }

export const nothing: Picked = { kind: 'ids', ids: new Set() }
export const everything: Picked = { kind: 'all' }

export const isPicked = (picked: Picked, id: string): boolean => picked.kind === 'all' || picked.ids.has(id)

/** Returns the number selected; `total` is how many the filter matches. */
export const pickedCount = (picked: Picked, total: number): number => (picked.kind === 'all' ? total : picked.ids.size)

/**
 * Turns one contact on or off. With `range`, everything on the page between it and the one turned before gets the same
 * state. Out of everything, one that is turned off leaves the rest of its page.
 */
export function toggle(picked: Picked, page: readonly string[], id: string, range = false): Picked {
  const ids = new Set(picked.kind === 'all' ? page : picked.ids)
  const on = picked.kind === 'ids' && !ids.has(id)
  const anchor = picked.kind === 'ids' ? picked.anchor : undefined
  for (const chosenId of range && anchor ? between(page, anchor, id) : [id]) {
    if (on) ids.add(chosenId)
    else ids.delete(chosenId)
  }
  return { kind: 'ids', ids, anchor: id }
}

function between(page: readonly string[], from: string, to: string): readonly string[] {
  const [start, end] = [page.indexOf(from), page.indexOf(to)]
  return start === -1 || end === -1 ? [to] : page.slice(Math.min(start, end), Math.max(start, end) + 1)
}

export type PageState = 'none' | 'some' | 'all'

/** Returns how much of the page is selected. */
export function pageState(picked: Picked, page: readonly string[]): PageState {
  const count = page.filter((id) => isPicked(picked, id)).length
  if (count === 0) return 'none'
  return count === page.length ? 'all' : 'some'
}

/** Selects the whole page, or nothing of it where all of it was selected. */
export function togglePage(picked: Picked, page: readonly string[]): Picked {
  if (picked.kind === 'all') return nothing
  const ids = new Set(picked.ids)
  const clear = pageState(picked, page) === 'all'
  for (const id of page) {
    if (clear) ids.delete(id)
    else ids.add(id)
  }
  return { kind: 'ids', ids }
}

/** Returns the selection as the calls name it. */
export const selectionOf = (picked: Picked, filter: ContactFilter): Selection =>
  picked.kind === 'all' ? { filter } : { ids: [...picked.ids] }

/** Returns the two selected contacts: the one that was chosen first, and the other one. */
export function pairOf(picked: Picked): [string, string] | undefined {
  const [first, second, ...others] = picked.kind === 'ids' ? picked.ids : []
  return first !== undefined && second !== undefined && others.length === 0 ? [first, second] : undefined
}
