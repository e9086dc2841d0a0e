import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import type { FormEventHandler, ReactNode } from 'react'
import { explain } from '../../lib/explain.ts'
import { type Intent, useChange } from '../../lib/use-change.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonBar } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import styles from './settings.module.css'

/** Shows the fields of a setting once it is read, or that it could not be. */
export function WhenRead<T>({
  query: { data, isLoadingError, isFetching, refetch },
  name,
  height = '140px',
  children,
}: {
  query: Pick<UseQueryResult<T>, 'data' | 'isLoadingError' | 'isFetching' | 'refetch'>
  /** `The rating`. */
  name: string
  height?: string
  children: (setting: T) => ReactNode
}) {
  if (data !== undefined) return children(data)
  return isLoadingError && !isFetching ? (
    <ErrorState message={`${name} could not be loaded.`} onRetry={() => void refetch()} />
  ) : (
    <SkeletonBar height={height} />
  )
}

/** Saves a setting and says so. Another member's change meanwhile is shown, and not overwritten. */
export function useSaveSetting<T>({
  queryKey,
  update,
  stale,
  name,
  isPlural = false,
  showProblems,
}: {
  queryKey: readonly unknown[]
  update: (setting: T, intent: Intent) => Promise<T>
  /** Returns the setting in a refusal with `stale_version`. */
  stale: (error: unknown) => T | undefined
  /** `The rating`. */
  name: string
  isPlural?: boolean
  /** Shows a refusal beside the fields that it names; false where it names none. */
  showProblems?: (error: Error) => boolean
}) {
  const client = useQueryClient()
  const show = (setting: T) => client.setQueryData<T>(queryKey, () => setting)
  const { mutateAsync, isPending } = useChange({
    run: update,
    onSuccess: (setting) => {
      show(setting)
      toast.success(`${name} ${isPlural ? 'are' : 'is'} saved.`)
    },
    onError: (error) => {
      const current = stale(error)
      if (current !== undefined) show(current)
      if (!showProblems?.(error))
        toast.error(explain(error, `${name} could not be saved. Your changes are kept. Try again.`))
    },
  })
  // Failures are reported by `onError`.
  return { save: (setting: T) => mutateAsync(setting).catch(() => undefined), isPending }
}

/** The form of one setting with its button. */
export function SettingForm({
  onSubmit,
  submitLabel,
  isPending,
  buttons,
  children,
}: {
  onSubmit: FormEventHandler
  submitLabel: string
  isPending: boolean
  /** Further buttons. */
  buttons?: ReactNode
  children: ReactNode
}) {
  return (
    <form className={styles['form']} onSubmit={onSubmit} noValidate>
      {children}
      <div className={styles['buttons']}>
        <Button type="primary" htmlType="submit" loading={isPending}>
          {submitLabel}
        </Button>
        {buttons}
      </div>
    </form>
  )
}
