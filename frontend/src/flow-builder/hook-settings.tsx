import type { Control } from 'react-hook-form'
import { useWatch } from 'react-hook-form'
import { useChoices } from './builder-context.ts'
import { FilterSetting } from './filter-setting.tsx'
import { HookAddress } from './hook-address.tsx'
import { Mappings } from './mapping-settings.tsx'
import type { NodeFormValues } from './node-form-values.ts'
import { SelectSetting, SwitchSetting, TextSetting } from './setting-fields.tsx'

type FormControl = Control<NodeFormValues>

/** A trigger that another system calls: whom the call names, what is kept of it, and its address. */
export function HookSettings({ control, nodeId }: { control: FormControl; nodeId: string }) {
  const { workflowId } = useChoices()
  const isByPhone = useWatch({ control, name: 'settings.contact.by' }) !== 'id'
  const makesContact = useWatch({ control, name: 'settings.contact.create' }) === true
  return (
    <>
      <SelectSetting
        control={control}
        name="contact.by"
        label="The call names the contact by"
        options={[
          { value: 'phone', label: 'Phone number, with its country code' },
          { value: 'id', label: 'Id of the contact in Parley' },
        ]}
      />
      <TextSetting
        control={control}
        name="contact.pointer"
        label="Where it stands in the JSON"
        hint="As in /customer/phone."
        maxLength={200}
      />
      {isByPhone && (
        <SwitchSetting control={control} name="contact.create" label="Create the contact if there is none" />
      )}
      {isByPhone && makesContact && (
        <TextSetting
          control={control}
          name="contact.namePointer"
          label="Where its name stands"
          optional
          maxLength={200}
        />
      )}
      <Mappings control={control} legend="Keep from the call" most={20} />
      <TextSetting
        control={control}
        name="keyPointer"
        label="Field that is the same in a repeated call"
        hint="As in /event/id. Without one: the Idempotency-Key header, or the whole call. Repeats within a day start nothing."
        optional
        maxLength={200}
      />
      <FilterSetting control={control} />
      {workflowId !== undefined && <HookAddress workflowId={workflowId} nodeId={nodeId} />}
    </>
  )
}
