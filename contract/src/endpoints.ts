import * as appointments from './appointments.ts'
import * as auth from './auth.ts'
import * as caseActivity from './case-activity.ts'
import * as caseManager from './case-manager.ts'
import * as claims from './claims.ts'
import * as consents from './consents.ts'
import * as contact from './contact.ts'
import * as crmRefusals from './crm-refusals.ts'
import * as documents from './documents.ts'
import type { Endpoint } from './endpoint.ts'
import * as folders from './folders.ts'
import * as handOff from './hand-off.ts'
import * as intake from './intake.ts'
import * as links from './links.ts'
import * as manageUsers from './manage-users.ts'
import * as notices from './notices.ts'
import * as password from './password.ts'
import * as profile from './profile.ts'
import * as resumableUploads from './resumable-uploads.ts'
import * as signUp from './sign-up.ts'
import * as todo from './todo.ts'
import * as viewing from './viewing.ts'

const named = {
  register: signUp.register,
  verifyEmail: signUp.verifyEmail,
  login: auth.login,
  verifyLogin: auth.verifyLogin,
  resendVerificationCode: auth.resendVerificationCode,
  forgotPassword: password.forgotPassword,
  resetPassword: password.resetPassword,
  changePassword: password.changePassword,
  logout: auth.logout,
  refresh: auth.refresh,
  checkAuth: auth.checkAuth,
  getUserInfo: profile.getUserInfo,
  getAppointments: appointments.getAppointments,
  getCaseManager: caseManager.getCaseManager,
  getTodo: todo.getTodo,
  getClaims: claims.getClaims,
  getCaseActivity: caseActivity.getCaseActivity,
  getCaseVersion: caseActivity.getCaseVersion,
  getDocuments: documents.getDocuments,
  getDocumentsOf: documents.getDocumentsOf,
  getDocumentCategories: documents.getDocumentCategories,
  uploadDocument: documents.uploadDocument,
  replaceDocument: documents.replaceDocument,
  getUnfinishedUploads: resumableUploads.getUnfinishedUploads,
  createUpload: resumableUploads.createUpload,
  getUploadOffset: resumableUploads.getUploadOffset,
  appendToUpload: resumableUploads.appendToUpload,
  deleteUpload: resumableUploads.deleteUpload,
  finishUpload: resumableUploads.finishUpload,
  getContent: viewing.getContent,
  getContentOf: viewing.getContentOf,
  createHandOff: handOff.createHandOff,
  getHandOff: handOff.getHandOff,
  endHandOff: handOff.endHandOff,
  openHandOff: handOff.openHandOff,
  getSlot: handOff.getSlot,
  reportPages: handOff.reportPages,
  sendFromPhone: handOff.sendFromPhone,
  requestContact: contact.requestContact,
  getContactRequest: contact.getContactRequest,
  getConsents: consents.getConsents,
  acceptConsents: consents.acceptConsents,
  withdrawConsent: consents.withdrawConsent,
  getIntake: intake.getIntake,
  saveIntake: intake.saveIntake,
  getNoticePreferences: notices.getNoticePreferences,
  setNoticePreference: notices.setNoticePreference,
  getNoticePreferencesByToken: notices.getNoticePreferencesByToken,
  setNoticePreferenceByToken: notices.setNoticePreferenceByToken,
  unsubscribe: notices.unsubscribe,
  listUsers: manageUsers.listUsers,
  updateUser: manageUsers.updateUser,
  deactivateUser: manageUsers.deactivateUser,
  reactivateUser: manageUsers.reactivateUser,
  getProgressOf: todo.getProgressOf,
  getCrmRefusals: crmRefusals.getCrmRefusals,
  getEmailReachable: notices.getEmailReachable,
  getDeliveriesOf: notices.getDeliveriesOf,
  resetUserPassword: manageUsers.resetUserPassword,
  getActivity: manageUsers.getActivity,
  getFolder: folders.getFolder,
  previewFolder: folders.previewFolder,
  listLinksToConfirm: links.listLinksToConfirm,
  getLinkToConfirm: links.getLinkToConfirm,
  decideLink: links.decideLink,
  previewContact: links.previewContact,
  reportNotMe: links.reportNotMe,
} satisfies Readonly<Record<string, Endpoint>>

/** For tables that need an entry for each endpoint. */
export type NamedEndpoints = typeof named

/** Every endpoint of the API: the server binds exactly these. */
export const endpoints: Readonly<Record<string, Endpoint>> = named
