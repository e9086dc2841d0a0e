import type { TemplateVersion } from '@parley/contracts/templates/template-versions'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useMemberName } from '../../lib/choices/members.ts'
import { previewedTemplate } from '../../lib/previewed-template.ts'
import { useClock } from '../../lib/use-clock.ts'
import { useLast } from '../../lib/use-last.ts'
import { DetailsDrawer } from '../../ui/details-drawer.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { MessagePreview } from '../../ui/message-preview.tsx'
import { SkeletonBar } from '../../ui/skeleton.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Timestamp } from '../../ui/timestamp.tsx'
import { templateOptions, templateUsesOptions, templateVersionsOptions } from './api.ts'
import { useChangeDraft } from './draft-api.ts'
import { languageName, statusLabels } from './labels.ts'
import styles from './template-drawer.module.css'
import { UsesList } from './uses-list.tsx'

/** Shows where a template is used, and its text at each review. */
export function TemplateDrawer({
  id,
  onEdit,
  onClose,
}: {
  id: string | undefined
  /** Opens the editor, which begins with the draft. */
  onEdit: (id: string) => void
  onClose: () => void
}) {
  // While it closes it still shows its template.
  const shown = useLast(id) ?? ''
  const enabled = shown !== ''
  const template = useQuery({ ...templateOptions(shown), enabled })
  const uses = useQuery({ ...templateUsesOptions(shown), enabled })
  const versions = useQuery({ ...templateVersionsOptions(shown), enabled })
  const restore = useChangeDraft('The version could not be restored. Try again.')
  return (
    <DetailsDrawer
      open={id !== undefined}
      onClose={onClose}
      what="template"
      width={520}
      record={template}
      title={({ name }) => name}
      footer={({ id: open, status, draft }) =>
        (draft || status === 'draft') && (
          <Button type="primary" onClick={() => onEdit(open)}>
            Edit
          </Button>
        )
      }
      failure="Nothing is lost. Check your connection and try again."
      className={styles['details']}
    >
      {({ version: seen, status, language, unsupported, draft, contentVersion = 1 }) => (
        <>
          <div className={styles['part']}>
            <div className={styles['row']}>
              <p className={styles['lead']}>{languageName(language)}</p>
              <StatusBadge tone={statusLabels[status].tone}>{statusLabels[status].word}</StatusBadge>
            </div>
            {draft && <p className={styles['quiet']}>A draft is waiting</p>}
          </div>
          <Part title="Used by" record={uses} what="campaigns">
            {(campaigns) =>
              campaigns.length === 0 ? (
                <p className={styles['quiet']}>No scheduled, active or paused campaign uses it.</p>
              ) : (
                <UsesList uses={campaigns} />
              )
            }
          </Part>
          <Part title="Versions" record={versions} what="versions">
            {(items) =>
              items.length === 0 ? (
                <p className={styles['quiet']}>No version has been sent for review from Parley.</p>
              ) : (
                <ol className={styles['list']}>
                  {items.map((version) => (
                    <Version
                      key={version.number}
                      version={version}
                      isRestoring={restore.isPending}
                      onRestore={
                        version.number !== contentVersion && !unsupported && status !== 'disabled'
                          ? () =>
                              restore.mutate(
                                { id: shown, version: seen, from: version.number },
                                { onSuccess: ({ id: restored }) => onEdit(restored) },
                              )
                          : undefined
                      }
                    />
                  ))}
                </ol>
              )
            }
          </Part>
        </>
      )}
    </DetailsDrawer>
  )
}

function Part<T>({
  title,
  what,
  record: { data, isLoadingError, isFetching, refetch },
  children,
}: {
  title: string
  what: string
  record: UseQueryResult<T>
  children: (data: T) => ReactNode
}) {
  return (
    <section className={styles['part']} aria-label={title}>
      <h3 className={styles['title']}>{title}</h3>
      {data !== undefined ? (
        children(data)
      ) : isLoadingError && !isFetching ? (
        <ErrorState message={`The ${what} could not be loaded.`} onRetry={() => void refetch()} />
      ) : (
        <SkeletonBar height="72px" />
      )}
    </section>
  )
}

function Version({
  version,
  isRestoring,
  onRestore,
}: {
  version: TemplateVersion
  isRestoring: boolean
  onRestore: (() => void) | undefined
}) {
  const clock = useClock(0)
  const nameOf = useMemberName()
  const { number, content, submittedBy, submittedAt, outcome, reason } = version
  const { word, tone } = statusLabels[outcome]
  return (
    <li className={styles['version']}>
      <div className={styles['row']}>
        <span className={styles['name']}>Version {number}</span>
        <StatusBadge tone={tone}>{word}</StatusBadge>
      </div>
      <p className={styles['quiet']}>
        {submittedBy ? `Sent for review by ${nameOf(submittedBy) ?? '…'}, ` : 'Here since '}
        <Timestamp at={submittedAt} {...clock} />
      </p>
      {reason && <p className={styles['reason']}>{reason}</p>}
      <MessagePreview label={`Text of version ${number}`} message={previewedTemplate(content, {})} />
      {onRestore && (
        <Button
          className={styles['again'] ?? ''}
          disabled={isRestoring}
          onClick={onRestore}
          aria-label={`Restore as draft: version ${number}`}
        >
          Restore as draft
        </Button>
      )}
    </li>
  )
}
