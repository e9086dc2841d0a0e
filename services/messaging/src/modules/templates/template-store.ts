import type { Template } from '@parley/contracts/templates/templates'
import { isDuplicateKey, type ServiceConnection } from '@parley/service-kit/data/mongo'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { RunInTransaction, Tx } from '@parley/service-kit/data/transaction'
import { actorOf } from '../../platform/actor-of.ts'
import { createReleasedNotes } from '../media/released-notes.ts'
import { contentVersionOf } from './content-key.ts'
import type { TemplateVersions } from './template-versions.ts'
import type { TemplateRecord } from './templates.model.ts'
import type { FieldChange, NewTemplateRecord, TemplateChange, TemplatesRepository } from './templates.repository.ts'

/** Workspace of the templates, and the member who changes them; the system without `userId`. */
export interface Caller extends WorkspaceScope {
  readonly userId?: string | undefined
}

/** WhatsApp's news that came with a change. */
interface TemplateNews {
  readonly became?: TemplateRecord['status'] | undefined
  readonly announced?: TemplateRecord['nextCategory']
}

export type TemplateStore = ReturnType<typeof createTemplateStore>

/** Stores templates together with an event for each change, and their versions. */
export function createTemplateStore({
  templates,
  versions,
  mongo,
  transaction,
}: {
  templates: TemplatesRepository
  versions: Omit<TemplateVersions, 'list' | 'read'>
  mongo: ServiceConnection
  transaction: RunInTransaction
}) {
  const released = createReleasedNotes(mongo)

  /** Notes the files that a template gives up, before that is stored: none is forgotten, and one that is held stays. */
  async function release(scope: WorkspaceScope, before: TemplateRecord, after?: TemplateRecord): Promise<void> {
    const kept = new Set(after ? filesOf(after) : [])
    for (const mediaId of new Set(filesOf(before))) if (!kept.has(mediaId)) await released.note(scope, mediaId)
  }

  function emitChange(
    { workspaceId, userId }: Caller,
    { id, version, became, announced }: Pick<TemplateRecord, 'id' | 'version'> & TemplateNews,
    tx: Pick<Tx, 'emit'>,
  ): void {
    tx.emit({
      workspaceId,
      type: 'template.changed',
      recordId: id,
      version,
      by: actorOf(userId),
      data: { templateId: id, ...(became && { became }), ...(announced && { announced }) },
    })
  }

  /** A new status is the verdict on what is being reviewed. */
  async function addNotifications(
    scope: WorkspaceScope,
    expected: TemplateRecord,
    changed: TemplateRecord,
    tx: Tx,
  ): Promise<void> {
    const { id, version, status, nextCategory } = changed
    const announced = nextCategory !== expected.nextCategory ? nextCategory : undefined
    const isNews = status !== expected.status
    if (isNews) await versions.decide(scope, changed, tx)
    emitChange(scope, { id, version, became: isNews ? status : undefined, announced }, tx)
  }

  return {
    create: (caller: Caller, template: NewTemplateRecord): Promise<TemplateRecord> =>
      transaction(async (tx) => {
        const created = await templates.create(caller, { ...template, contentVersion: 1 }, tx)
        await versions.add(caller, created, tx)
        emitChange(caller, created, tx)
        return created
      }),

    /** Adds a draft: what was never sent is no version. */
    createDraft: (caller: Caller, template: NewTemplateRecord): Promise<TemplateRecord> =>
      transaction(async (tx) => {
        const created = await templates.create(caller, template, tx)
        emitChange(caller, created, tx)
        return created
      }),

    /** Saves a text that is not submitted to WhatsApp. @throws `stale_version` with the template as it is now. */
    saveDraft: (caller: Caller, before: TemplateRecord, update: TemplateChange): Promise<TemplateRecord> =>
      transaction(async (tx) => {
        const { id, version } = before
        const changed = await templates.changeVersion(caller, { id, version, update, toAnswer: showTemplate }, tx)
        await release(caller, before, changed)
        emitChange(caller, changed, tx)
        return changed
      }),

    /** Deletes a draft that is still as it was read. @returns whether it was. */
    removeDraft: (caller: Caller, draft: TemplateRecord): Promise<boolean> =>
      transaction(async (tx) => {
        if (!(await templates.removeDraft(caller, draft, tx))) return false
        await release(caller, draft)
        await versions.dropLatest(caller, draft.id, tx)
        emitChange(caller, { ...draft, version: draft.version + 1 }, tx)
        return true
      }),

    /** Changes a template, whatever else has changed it. @returns `null` where it is gone. */
    change: (caller: Caller, id: string, update: TemplateChange): Promise<TemplateRecord | null> =>
      transaction(async (tx) => {
        const changed = await templates.change(caller, id, update, { session: tx.session })
        if (changed) emitChange(caller, changed, tx)
        return changed
      }),

    /** Applies a report of WhatsApp to a template that the same transaction has read. */
    changeWithin: async (
      scope: WorkspaceScope,
      expected: TemplateRecord,
      update: TemplateChange,
      tx: Tx,
    ): Promise<void> => {
      const changed = await templates.change(scope, expected.id, update, { session: tx.session })
      if (changed) await addNotifications(scope, expected, changed, tx)
    },

    /** Changes a template that is still as it was read. A text of WhatsApp's is a version of it too. @returns whether it was. */
    changeIfUnchanged: (scope: WorkspaceScope, expected: TemplateRecord, update: FieldChange): Promise<boolean> =>
      transaction(async (tx) => {
        const { id, version } = expected
        const found = 'body' in update.$set ? await versions.found(scope, expected, update, tx) : undefined
        const set = { ...update.$set, ...(found && { contentVersion: found.number }) }
        const changed = await templates.changeIfUnchanged(scope, { id, version }, { ...update, $set: set }, tx)
        if (!changed) return false
        await release(scope, expected, changed)
        await found?.keep()
        await addNotifications(scope, expected, changed, tx)
        return true
      }),

    /** Adds templates that were written elsewhere. @returns how many: another run may have added some of them. */
    addAll: async (scope: WorkspaceScope, records: readonly NewTemplateRecord[]): Promise<number> => {
      if (records.length === 0) return 0
      const insert = (some: readonly NewTemplateRecord[]) =>
        transaction(async (tx) => {
          for (const created of await templates.createMany(scope, some, tx)) emitChange(scope, created, tx)
          return some.length
        })
      const addOne = (record: NewTemplateRecord) =>
        insert([record]).catch((error: unknown) => {
          if (isDuplicateKey(error)) return 0
          throw error
        })
      return insert(records).catch(async (error: unknown) => {
        if (!isDuplicateKey(error)) throw error
        let added = 0
        for (const record of records) added += await addOne(record)
        return added
      })
    },

    /** Replaces a template's text and adds a version. @throws `stale_version` with the template as it is now. */
    rewrite: (
      caller: Caller,
      before: TemplateRecord,
      updateTo: (contentVersion: number) => TemplateChange,
    ): Promise<TemplateRecord> =>
      transaction(async (tx) => {
        const { id, version } = before
        const update = updateTo(await versions.next(caller, before, tx))
        const changed = await templates.changeVersion(caller, { id, version, update, toAnswer: showTemplate }, tx)
        await versions.add(caller, changed, tx)
        await release(caller, before, changed)
        emitChange(caller, changed, tx)
        return changed
      }),

    /** Gives up the files of a template that is deleted at WhatsApp. */
    releaseFiles: (scope: WorkspaceScope, template: TemplateRecord): Promise<void> => release(scope, template),

    /** Undoes a text that WhatsApp did not accept, and drops its version. */
    withdraw: (caller: Caller, id: string, update: TemplateChange): Promise<void> =>
      transaction(async (tx) => {
        const refused = await templates.any(caller, id, tx)
        const changed = await templates.change(caller, id, update, { session: tx.session })
        await versions.dropLatest(caller, id, tx)
        if (!refused || !changed) return
        await release(caller, refused, changed)
        emitChange(caller, changed, tx)
      }),

    /** Discards a template that could not be handed to WhatsApp, and its version. */
    discard: (caller: Caller, template: TemplateRecord): Promise<void> =>
      transaction(async (tx) => {
        await templates.discard(caller, template.id, tx)
        await release(caller, template)
        await versions.dropLatest(caller, template.id, tx)
        emitChange(caller, { ...template, version: template.version + 1 }, tx)
      }),
  }
}

/** Files above the text of a template and of its draft, and on their cards. */
const filesOf = ({ draft, ...template }: TemplateRecord): string[] =>
  [template, ...(draft ? [draft.content] : [])]
    .flatMap(({ headerMedia, cards = [] }) => [headerMedia, ...cards.map((card) => card.headerMedia)])
    .flatMap((media) => (media && 'file' in media && media.file ? [media.file.mediaId] : []))

/** A template as the page shows it. */
export function showTemplate(record: TemplateRecord): Template {
  const { id, version, name, language, category, header, body, footer, buttons, examples } = record
  const { headerMedia, authentication, offer, cards } = record
  const { status, rejectionReason, quality, statusDetail, nextCategory, unsupported, editedAt } = record
  return {
    id,
    version,
    name,
    language,
    category,
    body,
    buttons,
    examples,
    status,
    contentVersion: contentVersionOf(record),
    accountId: record.businessAccountId,
    ...(header && { header }),
    ...(record.draft && { draft: { ...record.draft } }),
    ...(headerMedia && { headerMedia }),
    ...(authentication && { authentication }),
    ...(offer && { offer }),
    ...(cards && { cards }),
    ...(footer && { footer }),
    ...(rejectionReason && { rejectionReason }),
    ...(quality && { quality }),
    ...(statusDetail && { statusDetail }),
    ...(nextCategory && { nextCategory }),
    ...(unsupported?.length && { unsupported }),
    ...(editedAt?.length && { editedAt: editedAt.map((at) => at.toISOString()) }),
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  }
}
