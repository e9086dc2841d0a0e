import { type Connection, Types } from 'mongoose'

interface Shown {
  readonly headerMedia?: { readonly file?: { readonly mediaId?: unknown } }
}
interface Content extends Shown {
  readonly cards?: readonly Shown[]
}

/** Notes files of templates that are deleted at WhatsApp, which were kept before: each is deleted unless something else has it. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  const notes = db.collection('releasedFiles')
  const deleted = db
    .collection<Content & { workspaceId: Types.ObjectId; draft?: { readonly content?: Content } }>('templates')
    .find({ deletedAt: { $exists: true } })
  for await (const { workspaceId, draft, ...template } of deleted) {
    const shown = [template, ...(draft?.content ? [draft.content] : [])].flatMap((of) => [of, ...(of.cards ?? [])])
    for (const { headerMedia } of shown) {
      const mediaId = headerMedia?.file?.mediaId
      if (typeof mediaId !== 'string') continue
      const update = { $setOnInsert: { releasedAt: new Date() } }
      await notes.updateOne({ workspaceId, mediaId: new Types.ObjectId(mediaId) }, update, { upsert: true })
    }
  }
}
