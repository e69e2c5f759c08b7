import type { Refusal } from './refusal.ts'
import { waitInWords } from './wait.ts'

/** Reasons for refusing a file, with messages for the veteran. */

const MEGABYTE = 1024 * 1024
const DOCUMENT_MAX_MEGABYTES = 100
export const DOCUMENT_MAX_BYTES = DOCUMENT_MAX_MEGABYTES * MEGABYTE

/** Multipart overhead around a file: fields, names and boundaries. */
const FORM_MAX_BYTES = 64 * 1024
export const UPLOAD_MAX_BYTES = DOCUMENT_MAX_BYTES + FORM_MAX_BYTES

/** Longest file name that file systems accept, in UTF-8. */
export const DOCUMENT_NAME_MAX_BYTES = 255

export const wrongFileType: Refusal = {
  status: 415,
  code: 'wrong_file_type',
  message: 'Only PDF and JPEG files are accepted.',
}
export const fileTooLarge: Refusal = {
  status: 413,
  code: 'file_too_large',
  message: `A file can be at most ${DOCUMENT_MAX_MEGABYTES} MB. Please upload a smaller file.`,
}
export const fileProtected: Refusal = {
  status: 422,
  code: 'file_protected',
  message:
    'This file is password-protected. To save an unprotected copy, open it, choose Print, ' +
    'then Save as PDF, and upload that copy.',
}
export const fileUnreadable: Refusal = {
  status: 422,
  code: 'file_unreadable',
  message:
    'This file seems to be damaged or incomplete. Please save or scan it again, and upload the new copy.',
}
/** A PDF that contains a program, or would start one when opened. */
export const fileHasProgram: Refusal = {
  status: 422,
  code: 'file_has_program',
  message:
    'This file contains a program or starts one, so we did not keep it. To save a copy without it, ' +
    'open it, choose Print, then Save as PDF, and upload that copy.',
}
export const tooManyAttachments: Refusal = {
  status: 422,
  code: 'too_many_attachments',
  message:
    'This PDF has too many files attached to it. Please save the attached files, and upload them one by one.',
}
/** A JPEG with a program, a script or an archive inside or appended. */
export const photoHasAttachment: Refusal = {
  status: 422,
  code: 'photo_has_attachment',
  message:
    'This photo has another file hidden in it, so we did not keep it. Please take the photo again, ' +
    'or open it, choose Print, then Save as PDF, and upload that copy.',
}
export const fileInfected: Refusal = {
  status: 422,
  code: 'file_infected',
  message: 'Our virus scan found a problem in this file, so we did not keep it.',
}
export const cannotCheckFiles: Refusal = {
  status: 503,
  code: 'cannot_check_files',
  message: 'We cannot check files right now. Please try again in a few minutes.',
}
export const uploadsBusy: Refusal = {
  status: 503,
  code: 'uploads_busy',
  message: 'Many people are uploading right now. Please try again in a minute.',
}
export const noSpaceForUploads: Refusal = {
  status: 503,
  code: 'no_room',
  message: 'We cannot take files right now. Please try again in a few minutes.',
}
export const uploadTooSlow: Refusal = {
  status: 408,
  code: 'upload_too_slow',
  message:
    'The connection was too slow to send this file. Please try again with a better connection.',
}

/** What an account may send in 24 hours. */
export interface UploadQuota {
  files: number
  gigabytes: number
}
/** `seconds`: until more can be sent. */
export const uploadQuotaReached = (quota: UploadQuota, seconds: number): Refusal => ({
  status: 429,
  code: 'upload_quota',
  message:
    `You have reached what can be sent in a day: ${quota.files} files or ${quota.gigabytes} GB. ` +
    `You can send more ${waitInWords(seconds)}.`,
})
export const tooManyUploadTries = (seconds: number): Refusal => ({
  status: 429,
  code: 'too_many_upload_tries',
  message: `You have tried to send too many files today. You can try again ${waitInWords(seconds)}.`,
})
