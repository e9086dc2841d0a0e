import type { TemplateUse } from '@parley/contracts/templates/template-endpoints'
import { type HeaderMedia, headerFileProblem, missingHeader } from '@parley/contracts/templates/template-headers'
import type { Template, TemplateContent } from '@parley/contracts/templates/templates'
import { errors } from '@parley/service-kit/core/errors'
import type { WorkspaceScope } from '@parley/service-kit/data/scoped-collection'
import type { UploadedFile } from '../../whatsapp/media-form.ts'
import { whyUnplayable } from '../../whatsapp/playable.ts'
import type { MediaService } from '../media/media.service.ts'
import { type Caller, showTemplate, type TemplateStore } from './template-store.ts'
import type { TemplatesService } from './templates.service.ts'
import { inUse } from './written-content.ts'

export type TemplateHeaders = ReturnType<typeof createTemplateHeaders>

/** Files and places that stand above the text of templates. */
export function createTemplateHeaders({
  media,
  store,
  find,
  campaignsOf,
}: {
  media: Pick<MediaService, 'find' | 'describe'>
  store: Pick<TemplateStore, 'changeIfUnchanged'>
  find: TemplatesService['find']
  /** The campaigns that are to send a template. */
  campaignsOf: (scope: WorkspaceScope, templateId: string) => Promise<TemplateUse[]>
}) {
  /** The same with its file as it is stored, whatever was said of it. @throws `validation_failed` for one that is not there, or that WhatsApp refuses. */
  async function checked(scope: WorkspaceScope, content: TemplateContent): Promise<TemplateContent> {
    const { headerMedia } = content
    return headerMedia ? { ...content, headerMedia: await stored(scope, headerMedia) } : content
  }

  async function stored(scope: WorkspaceScope, headerMedia: HeaderMedia): Promise<HeaderMedia> {
    if (headerMedia.kind === 'location' || !headerMedia.file) return headerMedia
    const { mediaId, name } = headerMedia.file
    const found = await media.describe(scope, mediaId)
    if (!found) throw errors.validation({ headerMedia: 'There is no such file. Upload it again.' })
    const file = { mediaId, name, mimeType: found.type, sizeBytes: found.sizeBytes }
    const problem = headerFileProblem({ kind: headerMedia.kind, file })
    if (problem !== undefined) throw errors.validation({ headerMedia: `${problem}.` })
    const unplayable = whyUnplayable(headerMedia.kind, found)
    if (unplayable !== undefined) throw errors.validation({ headerMedia: unplayable })
    return { kind: headerMedia.kind, file }
  }

  /**
   * Replaces the file or place above the text of a template from now on. WhatsApp reviews only a sample file, so it is not asked.
   * @throws `not_found`, `stale_version`, `wrong_state`, `validation_failed`, `template_in_use`.
   */
  async function change(
    caller: Caller,
    id: string,
    { version, headerMedia }: { version: number; headerMedia: HeaderMedia },
  ): Promise<Template> {
    const before = await find(caller, id)
    if (before.version !== version) throw errors.staleVersion(showTemplate(before))
    if (before.headerMedia?.kind !== headerMedia.kind)
      throw errors.wrongState(`The header of ${before.name} is of another kind.`)
    const missing = missingHeader(headerMedia)
    if (missing !== undefined) throw errors.validation({ headerMedia: `${missing}.` })
    const sending = (await campaignsOf(caller, id)).filter(({ status }) => status === 'active')
    if (sending.length > 0) throw inUse(before.name, sending, 'Pause or cancel')
    const after = await stored(caller, headerMedia)
    const isChanged = await store.changeIfUnchanged(caller, before, { $set: { headerMedia: after } })
    const current = await find(caller, id)
    if (!isChanged) throw errors.staleVersion(showTemplate(current))
    return showTemplate(current)
  }

  /** The sample file of a template, for WhatsApp's reviewers. @throws `not_found`. */
  async function sampleOf(
    scope: WorkspaceScope,
    { headerMedia }: Pick<TemplateContent, 'headerMedia'>,
  ): Promise<UploadedFile | undefined> {
    if (!headerMedia || headerMedia.kind === 'location' || !headerMedia.file) return undefined
    const { media: found, open } = await media.find(scope, headerMedia.file.mediaId)
    const { type: mimeType, sizeBytes } = found
    return { content: open(), sizeBytes, mimeType, fileName: headerMedia.file.name }
  }

  return { checked, change, sampleOf }
}
