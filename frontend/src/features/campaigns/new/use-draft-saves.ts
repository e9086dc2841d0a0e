import { campaignDraftsApi } from '@parley/contracts/campaigns/campaign-drafts'
import type { CampaignDraft, DraftFields } from '@parley/contracts/campaigns/campaign-fields'
import { campaignsApi } from '@parley/contracts/campaigns/campaigns'
import { hashKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { ApiError, call } from '../../../lib/api.ts'
import { type Difference, differencesOf, mergedValues } from '../../../lib/differences.ts'
import { toast } from '../../../ui/toast.ts'
import { draftOptions, receiveDraft, writtenOf } from '../drafts-api.ts'
import type { Draft, DraftContext } from './draft.ts'
import { fieldsOf, valuesOf } from './draft-fields.ts'
import { createDraftSaver, isSame } from './draft-saver.ts'
import { type Creation, type StoredCampaignDraft, storeCampaignDraft } from './stored-draft.ts'

/** Labels of the draft fields that two people can change independently. */
const fieldLabels = {
  name: 'Campaign name',
  audience: 'Send to',
  recentDays: 'Leave out contacts who got marketing recently',
  templateId: 'Template',
  variables: 'Variables',
  recipientFile: 'A file for each recipient',
  schedule: 'Start',
  numberId: 'Send from',
  anyHour: 'Send outside of sending hours too',
  retryHeldBack: 'Retry after 24 hours',
} as const
const fieldNames = Object.keys(fieldLabels) as (keyof DraftFields)[]

/** Adds absent fields, so that a removed one counts as a change too. */
const complete = (fields: DraftFields) =>
  ({ ...Object.fromEntries(fieldNames.map((name) => [name, undefined])), ...fields }) as DraftFields

interface Saving {
  readonly form: UseFormReturn<Draft>
  readonly context: Pick<DraftContext, 'placeholdersOf' | 'fileKindOf'>
  /** Draft as the server had it when the form opened; absent for a new one. */
  readonly record: CampaignDraft | undefined
  /** Changes that had not reached the server when the page was reloaded. */
  readonly kept: StoredCampaignDraft | undefined
  readonly onCreated: (id: string) => void
}

/** Saves a form's draft at the server, together with the changes of other members. */
export function useDraftSaves({ form, context, record, kept, onCreated }: Saving) {
  const client = useQueryClient()
  const [saver] = useState(() =>
    createDraftSaver(
      {
        create: (body, idempotencyKey) => call(campaignDraftsApi.create, { body, idempotencyKey }),
        save: ({ id, version }, fields, idempotencyKey) =>
          call(campaignDraftsApi.save, { params: { id }, body: { ...fields, version }, idempotencyKey }),
        read: (id) => call(campaignsApi.read, { params: { id } }),
      },
      {
        ...(record && {
          stored: kept?.base
            ? { draft: { ...record, version: kept.base.version }, fields: kept.base.fields }
            : { draft: record, fields: writtenOf(record) },
        }),
        ...(kept?.creation && { creation: kept.creation }),
      },
    ),
  )
  const state = useSyncExternalStore(saver.subscribe, saver.state)
  const { stored } = state
  const id = stored?.draft.id
  const [differences, setDifferences] = useState<readonly Difference<keyof DraftFields>[]>([])
  const creation = useRef<Creation>(kept?.creation)
  // Fields filled in automatically do not count as written.
  const touched = useRef(kept !== undefined)
  if (form.formState.isDirty) touched.current = true
  const draft = form.watch()
  const fields = fieldsOf(draft, context)
  const current = useRef({ fields, onCreated })
  current.current = { fields, onCreated }
  // Done when the page shows that it is saved: until then the leave warning prevents another address.
  const named = useRef(id)
  useEffect(() => {
    if (id === undefined || id === named.current) return
    named.current = id
    current.current.onCreated(id)
  }, [id])

  // While the question is open the person may write on: later input is theirs.
  const laterEdits = useRef<Partial<Record<keyof DraftFields, unknown>>>({})
  const merge = useCallback(
    (theirs: CampaignDraft): 'merged' | 'held' => {
      const base = saver.state().stored?.fields
      if (!base) return 'merged'
      const states = {
        base: complete(base),
        mine: complete(current.current.fields),
        theirs: complete(writtenOf(theirs)),
      }
      const found = differencesOf(fieldNames, states)
      const merged = mergedValues(states)
      laterEdits.current = {}
      setDifferences(found)
      touched.current = true
      form.reset(valuesOf(merged, theirs, form.getValues()))
      saver.adopt(theirs, merged)
      return found.some(({ isContested }) => isContested) ? 'held' : 'merged'
    },
    [saver, form],
  )

  useEffect(() => {
    let isLeft = false
    saver.listen({
      onStored: (saved, isNew) => {
        receiveDraft(client, saved)
        storeCampaignDraft(isNew ? undefined : saved.id, undefined)
      },
      onStale: (theirs) => (isLeft ? 'held' : merge(theirs)),
      onCreation: (begun) => {
        creation.current = begun
        storeCampaignDraft(undefined, { values: form.getValues(), ...(begun && { creation: begun }) })
      },
    })
    const onHide = () => document.visibilityState === 'hidden' && void saver.flush()
    document.addEventListener('visibilitychange', onHide)
    return () => {
      isLeft = true
      document.removeEventListener('visibilitychange', onHide)
      void saver.flush().then(() => {
        if (!isLeft || saver.state().problem === undefined) return
        saver.rest()
        toast.error('The draft could not be saved. What you wrote is kept in this tab: open it again to save it.')
      })
    }
  }, [saver, client, form, merge])

  const isSaved = stored !== undefined && isSame(fields, stored.fields)
  // Compared by value: each render creates new objects.
  const shape = JSON.stringify([fields, touched.current])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` stands for the fields.
  useEffect(() => {
    if (!touched.current) return
    saver.want(current.current.fields)
  }, [saver, shape])

  // Changes that have not reached the server outlive a reload of the page.
  const base = useMemo(() => stored && { version: stored.draft.version, fields: stored.fields }, [stored])
  useEffect(() => {
    if (!touched.current || state.phase === 'gone') return
    if (isSaved) storeCampaignDraft(id, undefined)
    else
      storeCampaignDraft(id, {
        values: draft,
        ...(base ? { base } : creation.current && { creation: creation.current }),
      })
  }, [draft, isSaved, id, base, state.phase])

  const { data: live, error } = useQuery({ ...draftOptions(id ?? ''), enabled: id !== undefined })
  const liveDraft = live?.status === 'draft' ? live : undefined
  useEffect(() => {
    const known = saver.state().stored?.draft
    // The answer of a save under way tells as much.
    if (!liveDraft || liveDraft.id !== known?.id || liveDraft.version <= known.version || state.phase === 'saving')
      return
    if (merge(liveDraft) === 'held') saver.hold()
  }, [liveDraft, saver, merge, state.phase])

  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` stands for the fields.
  const shown = useMemo(
    () =>
      differences.map((difference) => {
        const { name, theirs } = difference
        const now = current.current.fields[name]
        if (hashKey([now]) !== hashKey([theirs])) laterEdits.current[name] = now
        return difference.isContested && name in laterEdits.current
          ? { ...difference, mine: laterEdits.current[name] }
          : difference
      }),
    [differences, shape],
  )
  const launched = state.became ?? (live?.status === 'draft' ? undefined : live)
  return {
    ...state,
    fields,
    isSaved,
    /** Campaign launched from it, by any member. */
    launched,
    isDeleted: state.phase === 'gone' ? launched === undefined : error instanceof ApiError && error.status === 404,
    saveNow: useCallback(() => saver.flush(current.current.fields), [saver]),
    again: saver.again,
    startOver: useCallback(() => saver.startOver(current.current.fields), [saver]),
    forget: useCallback(() => {
      saver.rest()
      storeCampaignDraft(saver.state().stored?.draft.id, undefined)
    }, [saver]),
    conflict: {
      labels: fieldLabels,
      differences: shown,
      choose({ name, mine, theirs }: Difference<keyof DraftFields>, whose: 'mine' | 'theirs'): void {
        const chosen = { ...current.current.fields, [name]: whose === 'mine' ? mine : theirs }
        form.reset(valuesOf(chosen, stored?.draft, form.getValues()))
      },
    },
    /** The person has seen what was changed elsewhere, and chosen. */
    settle: useCallback(() => {
      setDifferences([])
      if (saver.state().phase === 'held') saver.release(current.current.fields)
    }, [saver]),
  }
}
