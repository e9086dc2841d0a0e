import type { Campaign } from '@parley/contracts/campaigns'
import { fillPlaceholders } from '@parley/contracts/placeholders'
import { useQuery } from '@tanstack/react-query'
import { MessagePreview } from '../../../ui/message-preview.tsx'
import { SkeletonBar } from '../../../ui/skeleton.tsx'
import { templateOf } from '../choices.ts'
import styles from './details.module.css'

/** The message that goes out. What each contact reads differently stays a marked variable. */
export function SentTemplate({ campaign: { templateId, templateName, variables } }: { campaign: Campaign }) {
  const { data, isLoadingError } = useQuery(templateOf(templateId))
  const texts = Object.fromEntries(
    Object.entries(variables).flatMap(([key, source]) => (source.kind === 'text' ? [[key, source.text]] : [])),
  )
  return (
    <section aria-labelledby="campaign-template" className={styles['part']}>
      <h3 id="campaign-template">Template {templateName}</h3>
      {isLoadingError ? (
        <p className={styles['note']}>This template has been deleted.</p>
      ) : data ? (
        <MessagePreview
          label={`Message of ${templateName}`}
          message={{
            header: data.header && fillPlaceholders(data.header, texts),
            body: fillPlaceholders(data.body, texts),
            footer: data.footer,
            buttons: data.buttons,
          }}
        />
      ) : (
        <SkeletonBar height="180px" />
      )}
    </section>
  )
}
