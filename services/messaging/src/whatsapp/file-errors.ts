import { known } from './known-error.ts'

/** Codes of our own, beside those of the Cloud API: files that are fetched for each recipient. */
export const fileFaultCodes = {
  missing: 9_100_001,
  refused: 9_100_002,
  unreachable: 9_100_003,
  too_large: 9_100_004,
  wrong_type: 9_100_005,
  address_refused: 9_100_006,
  storage_full: 9_100_007,
  gone: 9_100_008,
} as const

const again = 'Then send it again to those who did not get it.'

export const fileErrors = {
  [fileFaultCodes.missing]: known(
    'bad_file',
    'There is no file at the recipient’s address',
    `Check the address, or put the file there. ${again}`,
  ),
  [fileFaultCodes.refused]: known(
    'bad_file',
    'The server of the file does not hand it out',
    `Parley signs in nowhere: the address has to open without a password. ${again}`,
  ),
  [fileFaultCodes.unreachable]: known(
    'bad_file',
    'The server of the file could not be reached',
    `Parley has tried several times. Check the server. ${again}`,
  ),
  [fileFaultCodes.too_large]: known(
    'bad_file',
    'The recipient’s file is too large',
    `WhatsApp takes pictures up to 5 MB, videos up to 16 MB and documents up to 100 MB. ${again}`,
  ),
  [fileFaultCodes.wrong_type]: known(
    'bad_file',
    'The recipient’s file is of the wrong kind',
    `Above a text WhatsApp shows JPEG and PNG pictures, MP4 videos and PDF documents. ${again}`,
  ),
  [fileFaultCodes.address_refused]: known(
    'bad_file',
    'The address of the file is not on the public internet',
    `Parley calls https addresses of public servers alone. ${again}`,
  ),
  [fileFaultCodes.storage_full]: known(
    'bad_file',
    'The files of this workspace have reached their limit',
    `Delete files, or ask whoever runs Parley for more. ${again}`,
  ),
  [fileFaultCodes.gone]: known(
    'bad_file',
    'The recipient’s file is no longer kept',
    'Send the template again with the file.',
  ),
}
