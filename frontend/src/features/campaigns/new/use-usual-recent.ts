import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { consentSettingsOptions } from '../../../lib/choices/consent-settings.ts'
import type { Draft } from './draft.ts'

/** A new draft leaves out whom the workspace's campaigns usually leave out. @param isNew nothing of it was chosen elsewhere. */
export function useUsualRecent({ getValues, setValue }: UseFormReturn<Draft>, isNew: boolean): void {
  const { data } = useQuery(consentSettingsOptions())
  const usual = data?.recentDays ?? null
  useEffect(() => {
    if (!isNew || usual === null || getValues('skipsRecent')) return
    setValue('skipsRecent', true)
    setValue('recentDays', usual)
  }, [isNew, usual, getValues, setValue])
}
