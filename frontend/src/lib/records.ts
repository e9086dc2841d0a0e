import type { QueryClient } from '@tanstack/react-query'
import { onSessionEnd } from './auth/session-end.ts'
import type { RecordKeys } from './query-keys.ts'
import { copiesOf, placesOf, putBack, replaceRecord } from './record-copies.ts'

export interface StoredRecord {
  readonly id: string
  readonly version: number
}

/** Change that a person makes to a record; `undefined` takes it out of the lists. */
export type Patch<R> = (record: R) => R | undefined

/** Ends a change: with the record that the server answered, carried out without such an answer, or not carried out. */
type End<R> = (outcome: R | 'kept' | 'failed') => void

interface Known<R> {
  /** Newest version of a record from the server; null where it is deleted. */
  readonly newest: Map<string, { readonly version: number; readonly record: R | null }>
  /** Pending patches, in the order in which the person made them. */
  readonly pending: Map<string, readonly Patch<R>[]>
  /** Former place of a record that a pending patch has taken out. */
  readonly places: Map<string, ReturnType<typeof placesOf>>
}

/** Cancels what is being read. @returns what reads it after all: for the first time, maybe. */
async function cancelReads(client: QueryClient, queryKeys: readonly (readonly unknown[])[]): Promise<() => void> {
  const reads = queryKeys.flatMap((queryKey) => client.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' }))
  const hashes = new Set(reads.map(({ queryHash }) => queryHash))
  await Promise.all(reads.map(({ queryKey }) => client.cancelQueries({ queryKey, exact: true })))
  return () => {
    if (hashes.size > 0) void client.invalidateQueries({ predicate: ({ queryHash }) => hashes.has(queryHash) })
  }
}

/** Records whose newest version is remembered; the oldest is forgotten first. */
const maxKnown = 1000

export type Records<R extends StoredRecord> = ReturnType<typeof createRecords<R>>

/**
 * The one place where optimistic changes, answers and events meet in the query cache. What a screen shows of a record is the
 * newest version that the server has told, with the changes on top that are still under way. So a failed change takes back
 * itself and nothing else, an event never takes back what a person is still doing, and an answer that was on its way never
 * takes back what an event brought.
 */
export function createRecords<R extends StoredRecord>(keys: RecordKeys) {
  let states = new WeakMap<QueryClient, Known<R>>()
  onSessionEnd(() => {
    states = new WeakMap()
  })

  function known(client: QueryClient): Known<R> {
    const state = states.get(client) ?? { newest: new Map(), pending: new Map(), places: new Map() }
    states.set(client, state)
    return state
  }

  const withPending = (client: QueryClient, record: R): R | undefined =>
    (known(client).pending.get(record.id) ?? []).reduce<R | undefined>((shown, patch) => shown && patch(shown), record)

  function remember(client: QueryClient, id: string, version: number, record: R | null): void {
    const { newest, pending } = known(client)
    newest.delete(id)
    newest.set(id, { version, record })
    for (const old of newest.keys()) {
      if (newest.size <= maxKnown) break
      if (!pending.has(old)) newest.delete(old)
    }
  }

  /** Brings every copy of a record up to date with what is known and what is under way. */
  function show(client: QueryClient, id: string): void {
    const { newest, places } = known(client)
    const base = newest.get(id)?.record
    if (base === undefined) return
    const shown = base === null ? undefined : withPending(client, base)
    if (shown) {
      putBack(client, shown, places.get(id) ?? [])
      places.delete(id)
    } else if (!places.has(id)) places.set(id, placesOf(client, keys, id))
    replaceRecord(client, keys, id, shown)
  }

  function read(client: QueryClient, record: R): R | undefined {
    const newest = known(client).newest.get(record.id)
    if (newest && newest.version > record.version)
      return newest.record === null ? undefined : withPending(client, newest.record)
    if (newest) remember(client, record.id, record.version, record)
    return withPending(client, record)
  }

  function receive(client: QueryClient, record: R): void {
    const newest = known(client).newest.get(record.id)
    if (newest && newest.version > record.version) return
    remember(client, record.id, record.version, record)
    show(client, record.id)
  }

  async function begin(client: QueryClient, id: string, patch: Patch<R>): Promise<End<R>> {
    const readAgain = await cancelReads(client, [keys.lists, keys.one(id)])
    const { pending, newest } = known(client)
    const [copy] = copiesOf<R>(client, keys, id)
    if (copy && !newest.has(id)) remember(client, id, copy.version, copy)
    pending.set(id, [...(pending.get(id) ?? []), patch])
    show(client, id)
    return (outcome) => {
      const others = (pending.get(id) ?? []).filter((other) => other !== patch)
      if (others.length > 0) pending.set(id, others)
      else pending.delete(id)
      const base = newest.get(id)
      if (outcome === 'kept' && base?.record) remember(client, id, base.version, patch(base.record) ?? null)
      else if (typeof outcome === 'object') receive(client, outcome)
      show(client, id)
      readAgain()
    }
  }

  return {
    /** Returns a read's records as they are to be shown: for the end of a query function. */
    read,

    /** The same for a page of a list. */
    readPage: <P extends { readonly items: readonly R[] }>(client: QueryClient, page: P): P => ({
      ...page,
      items: page.items.flatMap((record) => read(client, record) ?? []),
    }),

    /** Takes over what the server has told, by an answer or an event, unless something newer is known. */
    receive,

    /** An event says that a record is gone. */
    receiveRemoval(client: QueryClient, { id, version }: StoredRecord): void {
      const newest = known(client).newest.get(id)
      if (newest && newest.version > version) return
      remember(client, id, version, null)
      show(client, id)
    },

    /** The record as the server last told it, without what is under way. */
    newest: (client: QueryClient, id: string): R | undefined =>
      known(client).newest.get(id)?.record ?? copiesOf<R>(client, keys, id)[0],

    /**
     * Shows a change before the server has answered. Reads that are under way are cancelled, for they know nothing of it, and
     * begin again once the change has ended.
     * @returns what is to be called once it has ended.
     */
    begin,

    /** Takes over what follows from an answer that is no record: a message that was sent is the conversation's last. */
    amend(client: QueryClient, id: string, patch: (record: R) => R): void {
      const { newest } = known(client)
      const base = newest.get(id)?.record ?? copiesOf<R>(client, keys, id)[0]
      if (!base) return
      remember(client, id, base.version, patch(base))
      show(client, id)
    },

    /** Changes of one record are carried out one after the other. */
    scopeOf: (id: string): string => [...keys.all, id].join('/'),
  }
}
