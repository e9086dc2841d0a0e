import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonBlocks } from '../../ui/skeleton.tsx'
import { ApiCard } from './api-card.tsx'
import { credentialsOptions } from './credentials-api.ts'
import styles from './settings.module.css'
import type { ReportDirty } from './use-dirty.ts'
import { WebhookCard } from './webhook-card.tsx'

/** API Credentials: how Parley reaches WhatsApp, and how WhatsApp reaches Parley. */
export function CredentialsTab({ onDirty }: { onDirty: ReportDirty }) {
  const { data, isLoadingError, isFetching, refetch } = useQuery(credentialsOptions())
  if (isLoadingError && !isFetching)
    return (
      <ErrorState
        title="The credentials could not be loaded"
        message="Your number is still connected. Check your connection and try again."
        onRetry={() => void refetch()}
      />
    )
  if (!data) return <SkeletonBlocks count={2} height="320px" className={styles['cards']} />
  return (
    <div className={styles['cards']}>
      <ApiCard credentials={data} onDirty={onDirty} />
      <WebhookCard webhook={data.webhook} />
    </div>
  )
}
