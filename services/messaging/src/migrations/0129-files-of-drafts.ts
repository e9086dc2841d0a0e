import type { Connection } from 'mongoose'

/** Templates by the file above the text of their draft, which is not deleted with what a person was sent. */
export async function up(db: NonNullable<Connection['db']>): Promise<void> {
  await db
    .collection('templates')
    .createIndex(
      { workspaceId: 1, 'draft.content.headerMedia.file.mediaId': 1 },
      { partialFilterExpression: { 'draft.content.headerMedia.file.mediaId': { $exists: true } }, name: 'draft-file' },
    )
}
