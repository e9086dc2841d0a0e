import type { TemplateVersion } from '@parley/contracts/template-endpoints'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useMemberName } from '../../lib/choices/members.ts'
import { Link } from '../../lib/navigation.ts'
import { fullTime } from '../../lib/relative-time.ts'
import { useClock } from '../../lib/use-clock.ts'
import { useLast } from '../../lib/use-last.ts'
import { DetailsDrawer } from '../../ui/details-drawer.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonBar } from '../../ui/skeleton.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { WhatsAppText } from '../../ui/whatsapp-text.tsx'
import { When } from '../../ui/when.tsx'
import { templateOptions, templateUsesOptions, templateVersionsOptions } from './api.ts'
import styles from './template-drawer.module.css'
import { languageName, statusWords } from './words.ts'

const useWords = { scheduled: 'Scheduled', active: 'Active', paused: 'Paused' } as const

/** Who is to send a template, and what it said at each review. */
export function TemplateDrawer({
  id,
  onEdit,
  onClose,
}: {
  id: string | undefined
  /** Opens the editor with the text of a version. */
  onEdit: (id: string, from: number) => void
  onClose: () => void
}) {
  // While it closes it still shows what it was about.
  const shown = useLast(id) ?? ''
  const enabled = shown !== ''
  const template = useQuery({ ...templateOptions(shown), enabled })
  const uses = useQuery({ ...templateUsesOptions(shown), enabled })
  const versions = useQuery({ ...templateVersionsOptions(shown), enabled })
  const { timeZone } = useClock(0)
  return (
    <DetailsDrawer
      open={id !== undefined}
      onClose={onClose}
      what="template"
      width={520}
      record={template}
      title={({ name }) => name}
      footer={() => null}
      failure="Nothing is lost. Check your connection and try again."
      className={styles['details']}
    >
      {({ language, unsupported }) => (
        <>
          <p className={styles['lead']}>{languageName(language)}</p>
          <Part title="Used by" record={uses} what="campaigns">
            {(campaigns) =>
              campaigns.length === 0 ? (
                <p className={styles['quiet']}>No scheduled, active or paused campaign uses it.</p>
              ) : (
                <ul className={styles['list']}>
                  {campaigns.map((campaign) => (
                    <li key={campaign.id}>
                      <Link to={`/campaigns?id=${campaign.id}`} className={styles['use'] ?? ''}>
                        <span className={styles['name']} dir="auto">
                          {campaign.name}
                        </span>
                        <span className={styles['quiet']}>
                          {useWords[campaign.status]}
                          {campaign.scheduledFor && `, ${fullTime(new Date(campaign.scheduledFor), timeZone)}`}
                        </span>
                      </Link>
                    </li>
                  ))}
                </ul>
              )
            }
          </Part>
          <Part title="Versions" record={versions} what="versions">
            {(items) =>
              items.length === 0 ? (
                <p className={styles['quiet']}>No text of it has been sent for review from here.</p>
              ) : (
                <ol className={styles['list']}>
                  {items.map((version, index) => (
                    <Version
                      key={version.number}
                      version={version}
                      onUse={index > 0 && !unsupported ? () => onEdit(shown, version.number) : undefined}
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

function Version({ version, onUse }: { version: TemplateVersion; onUse: (() => void) | undefined }) {
  const clock = useClock(0)
  const nameOf = useMemberName()
  const { number, content, submittedBy, submittedAt, outcome, reason } = version
  const { word, tone } = statusWords[outcome]
  return (
    <li className={styles['version']}>
      <div className={styles['row']}>
        <span className={styles['name']}>Version {number}</span>
        <StatusBadge tone={tone}>{word}</StatusBadge>
      </div>
      <p className={styles['quiet']}>
        {submittedBy ? `Sent for review by ${nameOf(submittedBy) ?? '…'}, ` : 'Here since '}
        <When at={submittedAt} {...clock} />
      </p>
      {reason && <p className={styles['reason']}>{reason}</p>}
      <div className={styles['text']} dir="auto">
        {content.header && <p className={styles['name']}>{content.header}</p>}
        <p className={styles['body']}>
          <WhatsAppText text={content.body} />
        </p>
        {content.footer && <p className={styles['quiet']}>{content.footer}</p>}
      </div>
      {onUse && (
        <Button className={styles['again'] ?? ''} onClick={onUse}>
          Write from this version
        </Button>
      )}
    </li>
  )
}
