import type { Campaign } from '@parley/contracts/campaigns/campaigns'
import { useQuery } from '@tanstack/react-query'
import { useAttributes } from '../../../lib/choices/attributes.ts'
import { previewedTemplate } from '../../../lib/previewed-template.ts'
import { MessagePreview } from '../../../ui/message-preview.tsx'
import { SkeletonBar } from '../../../ui/skeleton.tsx'
import { campaignTextOptions } from '../api.ts'
import { fileSourceLabel, previewedHeader } from '../new/previewed-file.tsx'
import styles from './details.module.css'

/** The message that goes out. What each contact reads differently stays a marked variable. */
export function SentTemplate({ campaign }: { campaign: Campaign }) {
  const { templateName, templateVersion, variables } = campaign
  const { data: sent, isLoadingError } = useQuery(campaignTextOptions(campaign))
  const data = sent?.text
  const defined = useAttributes()
  const texts = Object.fromEntries(
    Object.entries(variables).flatMap(([key, source]) => (source.kind === 'text' ? [[key, source.text]] : [])),
  )
  return (
    <section aria-labelledby="campaign-template" className={styles['part']}>
      <h3 id="campaign-template">
        Template {templateName}
        {templateVersion !== undefined && `, version ${templateVersion}`}
      </h3>
      {isLoadingError ? (
        <p className={styles['note']}>The message could not be loaded. Reload the page to try again.</p>
      ) : data ? (
        <MessagePreview
          label={`Message of ${templateName}`}
          message={{
            ...previewedTemplate(data, texts),
            ...(campaign.recipientFile && {
              headerMedia: previewedHeader(data.headerMedia, campaign.recipientFile, undefined),
            }),
          }}
        />
      ) : (
        <SkeletonBar height="180px" />
      )}
      {campaign.recipientFile && (
        <p className={styles['note']}>
          Each recipient gets a file of their own: <bdi>{fileSourceLabel(campaign.recipientFile, defined)}</bdi>
        </p>
      )}
    </section>
  )
}
