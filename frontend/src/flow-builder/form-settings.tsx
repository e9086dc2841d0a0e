import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { type Control, useWatch } from 'react-hook-form'
import { formChoices, useReadForms } from '../lib/choices/forms.ts'
import { useIsRefused } from '../lib/choices/members.ts'
import { explain } from '../lib/explain.ts'
import styles from './inspector.module.css'
import type { NodeFormValues } from './node-form-values.ts'
import { PatienceSettings } from './question-settings.tsx'
import { MessageSetting, SelectSetting, TextSetting } from './setting-fields.tsx'

type FormControl = Control<NodeFormValues>

/** A form that the customer fills in, and what is said around it. */
export function FormSettings({ control }: { control: FormControl }) {
  return (
    <>
      <FormChoice control={control} />
      <MessageSetting control={control} name="text" label="Message" maxLength={1024} />
      <TextSetting control={control} name="button" label="Text of the form’s button" maxLength={20} />
      <TextSetting
        control={control}
        name="screen"
        label="First screen"
        hint="Empty: the form’s own first screen."
        optional
        maxLength={80}
      />
      <TextSetting
        control={control}
        name="invalidText"
        label="If something else comes, say"
        hint="Empty: the form again."
        optional
        maxLength={1024}
      />
      <p className={styles['note']}>
        Later steps use each answer by its question, as the conversation shows it: {'{{session.Wanted day}}'}. A run
        holds 50 values, 8 KB together: a form with more than that goes on by “If it fails”, and none of its answers is
        kept.
      </p>
      <PatienceSettings control={control} />
    </>
  )
}

function FormChoice({ control }: { control: FormControl }) {
  const { data, error, isPending, refetch } = useQuery(formChoices())
  const read = useReadForms()
  const mayNotAsk = useIsRefused('templates:write')
  const chosen = useWatch({ control, name: 'settings.formId' })
  const usable = data?.items.filter(({ state, hasEndpoint }) => state === 'published' && !hasEndpoint) ?? []
  const other = data?.items.find(({ id }) => id === chosen)
  const isOffered = typeof chosen !== 'string' || chosen === '' || usable.some(({ id }) => id === chosen)
  const unusable =
    isOffered || !data ? [] : [{ value: String(chosen), label: `${other?.name ?? 'A form'} (cannot be sent)` }]
  const isReading = read.isPending || data?.running === true
  return (
    <>
      <SelectSetting
        control={control}
        name="formId"
        label="Form"
        placeholder={isPending ? 'Forms are being read…' : 'Choose a form'}
        options={[...usable.map(({ id, name }) => ({ value: id, label: name })), ...unusable]}
      />
      <div className={styles['lead']}>
        {error && (
          <>
            <span className={styles['note']} role="alert">
              {explain(error, 'The forms could not be read.')}
            </span>
            <Button onClick={() => void refetch()}>Try again</Button>
          </>
        )}
        {data?.problem !== undefined && (
          <span className={styles['note']} role="alert">
            The forms may be out of date: {data.problem}
          </span>
        )}
        {data && usable.length === 0 && (
          <span className={styles['note']}>
            {data.readAt === null && !isReading
              ? 'The forms were not read yet: connect a WhatsApp number.'
              : 'There is no form to choose. Make one in WhatsApp Manager under “Flows”, without an endpoint, and publish it.'}
          </span>
        )}
        {data && !mayNotAsk && (
          <Button loading={isReading} onClick={() => read.mutate(undefined)}>
            {isReading ? 'WhatsApp is asked…' : 'Look for new forms'}
          </Button>
        )}
      </div>
    </>
  )
}
