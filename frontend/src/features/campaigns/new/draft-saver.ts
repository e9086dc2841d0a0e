import { campaignDraftsApi } from '@parley/contracts/campaigns/campaign-drafts'
import type { CampaignDraft, DraftFields } from '@parley/contracts/campaigns/campaign-fields'
import type { AnyCampaign } from '@parley/contracts/campaigns/campaigns'
import { hashKey } from '@tanstack/react-query'
import { ApiError, isRefusal } from '../../../lib/api.ts'
import { explain } from '../../../lib/explain.ts'
import { pauseForNetwork } from '../../../lib/pause.ts'
import { staleRecord } from '../../../lib/stale-record.ts'
import { writtenOf } from '../drafts-api.ts'
import type { Creation } from './stored-draft.ts'

/** Draft stored at the server, and the fields last sent to it. */
export interface Stored {
  readonly draft: CampaignDraft
  readonly fields: DraftFields
}

export interface SaverState {
  /**
   * `resting`: nothing is to be saved. `held`: the person is asked which of two changes stays. `gone`: it is no longer a draft,
   * `became` says what.
   */
  readonly phase: 'resting' | 'waiting' | 'saving' | 'failed' | 'held' | 'gone'
  readonly stored: Stored | undefined
  /** Reason why it could not be saved; until it is. */
  readonly problem?: string
  /** Campaign launched from a draft that is gone; absent where it was deleted. */
  readonly became?: AnyCampaign
}

interface Calls {
  readonly create: (fields: DraftFields, key: string) => Promise<CampaignDraft>
  readonly save: (stored: CampaignDraft, fields: DraftFields, key: string) => Promise<CampaignDraft>
  readonly read: (id: string) => Promise<AnyCampaign>
}

interface Listener {
  /** The server has it. */
  readonly onStored: (draft: CampaignDraft, isNew: boolean) => void
  /** Called when another member has changed it: merges the change and sets the wanted fields, or lets the person decide. */
  readonly onStale: (theirs: CampaignDraft) => 'merged' | 'held'
  readonly onCreation: (creation: Creation | undefined) => void
}

const pauseMs = 600
const firstRetryMs = 2000
const maxRetryMs = 30_000

export const isSame = (left: DraftFields | undefined, right: DraftFields | undefined): boolean =>
  hashKey([left]) === hashKey([right])

/**
 * Brings a draft to the server: what is wanted last, one call after the other, after a short pause. A call without an answer is
 * tried again until there is one. It knows nothing of the page, which may be left meanwhile.
 */
export function createDraftSaver(calls: Calls, begun: { stored?: Stored; creation?: Creation } = {}) {
  let state: SaverState = { phase: 'resting', stored: begun.stored }
  let wanted: DraftFields | undefined
  let creation = begun.creation
  /** Saves of what is stored whose answer did not come: one of them may have been carried out. */
  let unanswered: readonly { readonly fields: DraftFields; readonly key: string }[] = []
  let listener: Listener | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | undefined
  let retry: AbortController | undefined
  let failures = 0
  let problem: string | undefined
  const watchers = new Set<() => void>()

  function set(next: Partial<SaverState> & Pick<SaverState, 'phase'>): void {
    // The failure is shown until it is saved after all, and not for each try again.
    state = { stored: state.stored, ...(failures > 0 && problem !== undefined && { problem }), ...next }
    for (const watcher of watchers) watcher()
  }

  const isDue = () => wanted !== undefined && !isSame(wanted, state.stored?.fields)
  const isBlocked = () => state.phase === 'held' || state.phase === 'gone'

  async function send(fields: DraftFields): Promise<Stored> {
    if (state.stored) {
      const before = unanswered.find((request) => isSame(request.fields, fields))
      const key = before?.key ?? crypto.randomUUID()
      if (!before) unanswered = [...unanswered, { fields, key }]
      const saved = await calls.save(state.stored.draft, fields, key)
      unanswered = []
      return { draft: saved, fields }
    }
    creation ??= { key: crypto.randomUUID(), fields }
    listener?.onCreation(creation)
    const sent = creation
    const draft = await calls.create(sent.fields, sent.key)
    creation = undefined
    return { draft, fields: sent.fields }
  }

  async function saveOnce(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    retry?.abort()
    const fields = wanted
    if (!fields || isBlocked()) return
    set({ phase: 'saving' })
    try {
      const isNew = state.stored === undefined
      const stored = await send(fields)
      failures = 0
      set({ phase: 'saving', stored })
      listener?.onStored(stored.draft, isNew)
    } catch (error) {
      return await fail(error)
    }
    rest()
  }

  function rest(): void {
    if (isBlocked()) return
    set({ phase: isDue() ? 'waiting' : 'resting' })
    if (isDue()) timer ??= setTimeout(start, pauseMs)
  }

  async function fail(error: unknown): Promise<void> {
    if (isFinal(error)) creation = undefined
    const theirs = staleRecord(error, campaignDraftsApi.save)
    if (theirs) {
      const savedRequest = unanswered.slice(0, -1).find(({ fields }) => isSame(fields, writtenOf(theirs)))
      unanswered = []
      failures = 0
      if (savedRequest) set({ phase: 'saving', stored: { draft: theirs, fields: savedRequest.fields } })
      else if (listener?.onStale(theirs) === 'held') return set({ phase: 'held' })
      return rest()
    }
    if (isFinal(error)) unanswered = []
    const became = await whatBecame(error)
    if (became) return set({ phase: 'gone', ...(became !== 'deleted' && { became }) })
    failures += 1
    problem = explain(error, 'The draft could not be saved.')
    set({ phase: 'failed' })
    if (!isFinal(error)) void tryAgainLater()
  }

  /** Returns the reason why the server accepts no changes any more; undefined where it is still a draft. */
  async function whatBecame(error: unknown): Promise<AnyCampaign | 'deleted' | undefined> {
    const code = error instanceof ApiError ? error.body.code : undefined
    if (!state.stored || (code !== 'not_found' && code !== 'wrong_state')) return undefined
    try {
      const campaign = await calls.read(state.stored.draft.id)
      return campaign.status === 'draft' ? undefined : campaign
    } catch (readError) {
      return readError instanceof ApiError && readError.status === 404 ? 'deleted' : undefined
    }
  }

  async function tryAgainLater(): Promise<void> {
    retry = new AbortController()
    const { signal } = retry
    await pauseForNetwork(Math.min(maxRetryMs, firstRetryMs * 2 ** (failures - 1)), signal)
    if (!signal.aborted) start()
  }

  function start(): void {
    running ??= saveOnce().finally(() => {
      running = undefined
    })
  }

  return {
    subscribe(watcher: () => void) {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    state: () => state,
    listen(next: Listener | undefined): void {
      listener = next
    },
    /** Sets the fields that the server is to have. */
    want(fields: DraftFields): void {
      if (isSame(fields, wanted)) return
      wanted = fields
      if (state.phase === 'saving' || isBlocked()) return
      clearTimeout(timer)
      timer = undefined
      rest()
    },
    /** Saves without the pause, and ends once there is nothing to save or it has failed. */
    async flush(fields = wanted): Promise<void> {
      if (fields) wanted = fields
      while (running || (isDue() && state.phase !== 'failed' && !isBlocked())) {
        start()
        await running
      }
    },
    /** Tries again after a failure. */
    again: (): void => start(),
    /** Takes another member's change as the stored draft; `fields` are the wanted values on top of it. */
    adopt(draft: CampaignDraft, fields: DraftFields): void {
      wanted = fields
      set({ phase: state.phase, stored: { draft, fields: writtenOf(draft) } })
      if (state.phase !== 'saving') rest()
    },
    hold: (): void => set({ phase: 'held' }),
    /** The person has chosen. */
    release(fields: DraftFields): void {
      set({ phase: 'waiting' })
      wanted = fields
      rest()
      if (isDue()) start()
    },
    /** Begins another draft with what is wanted. */
    startOver(fields: DraftFields): void {
      creation = undefined
      unanswered = []
      failures = 0
      wanted = fields
      set({ phase: 'waiting', stored: undefined })
      start()
    },
    /** Stops further attempts. */
    rest: (): void => {
      clearTimeout(timer)
      timer = undefined
      retry?.abort()
    },
  }
}

/** An answer that stays the same when the same is asked for again. */
const isFinal = (error: unknown) =>
  isRefusal(error) &&
  !(error instanceof ApiError && (error.body.code === 'request_in_progress' || error.status === 429))
