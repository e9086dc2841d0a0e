import type { Template } from '@parley/contracts/templates/templates'
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { ApiError } from '../../../lib/api.ts'
import { useScreenDepth } from '../../../lib/screen-depth.ts'
import { NotHere } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { Skeleton, SkeletonBar } from '../../../ui/skeleton.tsx'
import { templateOptions } from '../api.ts'
import { type ChangeUrl, closed, type TemplatesUrl } from '../url.ts'
import styles from './editor.module.css'
import { copyOf, emptyTemplate, translationOf, writtenOf } from './form-values.ts'
import { TemplateForm } from './template-form.tsx'

/** The editor over the whole screen: a new template, a copy of one, or one to change. */
export function TemplateEditor({ url, change }: { url: TemplatesUrl; change: ChangeUrl }) {
  const leave = useCallback(() => change(closed), [change])
  const id = url.edit ?? url.duplicate ?? url.translate
  const edit = useCallback((created: string) => change({ ...closed, edit: created }, { replace: true }), [change])
  if (id === undefined) return <NewTemplate onLeave={leave} onCreated={edit} />
  const as = url.edit !== undefined ? 'edit' : url.duplicate !== undefined ? 'duplicate' : 'translate'
  return <StoredTemplate key={`${id}:${as}`} id={id} as={as} onLeave={leave} onCreated={edit} />
}

/** Use of a stored template: it is changed, copied under another name, or written in another language. */
type As = 'edit' | 'duplicate' | 'translate'

interface Ways {
  readonly onLeave: () => void
  /** A new template was saved as a draft. */
  readonly onCreated: (id: string) => void
}

function NewTemplate({ onLeave, onCreated }: Ways) {
  useScreenDepth('New template', onLeave)
  return (
    <Page description="WhatsApp reviews every new template, which takes up to 24 hours.">
      <TemplateForm initial={emptyTemplate} parameter="new" onLeave={onLeave} onCreated={onCreated} />
    </Page>
  )
}

function StoredTemplate({ id, as, ...ways }: { id: string; as: As } & Ways) {
  const { onLeave } = ways
  const { data, error, isFetching, refetch } = useQuery(templateOptions(id))
  useScreenDepth(nameOf(data, as), onLeave)
  if (error instanceof ApiError && error.status === 404)
    return (
      <Page>
        <NotHere what="template" onLeave={onLeave} />
      </Page>
    )
  if (error && !data && !isFetching)
    return (
      <Page>
        <ErrorState
          title="The template could not be loaded"
          message="Nothing is lost. Check your connection and try again."
          onRetry={() => void refetch()}
        />
      </Page>
    )
  if (!data)
    return (
      <Page>
        <EditorSkeleton />
      </Page>
    )
  if (as === 'duplicate')
    return (
      <Page description={`A copy of ${data.name}. WhatsApp reviews it as a new template.`}>
        <TemplateForm initial={copyOf(data)} of={data.accountId} parameter="duplicate" {...ways} />
      </Page>
    )
  if (as === 'translate')
    return (
      <Page description={`${data.name} in another language. WhatsApp reviews each language by itself.`}>
        <TemplateForm initial={translationOf(data)} of={data.accountId} parameter="translate" {...ways} />
      </Page>
    )
  return (
    <Page>
      <TemplateForm initial={writtenOf(data)} stored={data} parameter="edit" {...ways} />
    </Page>
  )
}

function nameOf(template: Template | undefined, as: As): string {
  if (!template) return 'Template'
  if (as === 'translate') return `${template.name} in another language`
  return as === 'duplicate' ? `Copy of ${template.name}` : template.name
}

function EditorSkeleton() {
  return (
    <Skeleton className={styles['columns']}>
      <div className={styles['fields']}>
        {['64px', '64px', '220px', '64px', '120px'].map((height, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: bones have no identity but their place.
          <SkeletonBar key={index} height={height} />
        ))}
      </div>
      <SkeletonBar height="440px" />
    </Skeleton>
  )
}
