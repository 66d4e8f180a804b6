/**
 * Messages that mail servers send about a mail, in the shapes of their kinds, written after RFC 3464, RFC 5965 and
 * their public documentation.
 */
type Report = {
  /** The return path of the mail, to which the report is sent. */
  returnPath: string;
  address?: string;
  /** The fields of the recipient, where a test needs others. */
  status?: string;
  action?: string;
  diagnostic?: string;
};

const lines = (text: string) => text.replace(/^\n/, "").replace(/\r?\n/g, "\r\n");

/** Postfix: with the headers of the mail, in which its return path is. */
export function postfixReport({
  returnPath,
  address = "jo@example.org",
  status = "5.1.1",
  action = "failed",
  diagnostic = `smtp; 550 5.1.1 <${address}>: Recipient address rejected:\n    User unknown in virtual mailbox table`,
}: Report): string {
  return lines(`
Return-Path: <>
Received: by mail.example.com (Postfix)
	id 4Dn1bM6lHqz1xZ; Wed, 25 Nov 2026 09:14:07 +0000 (UTC)
Date: Wed, 25 Nov 2026 09:14:07 +0000 (UTC)
From: MAILER-DAEMON@mail.example.com (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: ${returnPath}
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="4Dn1bM6lHqz1xX.1795598047/mail.example.com"
Content-Transfer-Encoding: 8bit
Message-Id: <20261125091407.4Dn1bM6lHqz1xZ@mail.example.com>

This is a MIME-encapsulated message.

--4Dn1bM6lHqz1xX.1795598047/mail.example.com
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

This is the mail system at host mail.example.com.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients.

--4Dn1bM6lHqz1xX.1795598047/mail.example.com
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example.com
X-Postfix-Queue-ID: 4Dn1bM6lHqz1xX
X-Postfix-Sender: rfc822; ${returnPath}
Arrival-Date: Wed, 25 Nov 2026 09:14:06 +0000 (UTC)

Final-Recipient: rfc822; ${address}
Original-Recipient: rfc822;${address}
Action: ${action}
Status: ${status}
Remote-MTA: dns; mx.example.org
Diagnostic-Code: ${diagnostic}

--4Dn1bM6lHqz1xX.1795598047/mail.example.com
Content-Description: Undelivered Message Headers
Content-Type: text/rfc822-headers

Return-Path: <${returnPath}>
From: Endcap <mail@endcap.example>
To: Jo <${address}>
Subject: Welcome
Message-ID: <01900000-0000-7000-8000-000000000001@ads.example.com>

--4Dn1bM6lHqz1xX.1795598047/mail.example.com--
`);
}

/** Exim: the status says nothing, the reply of the remote server is in the diagnostic code. */
export function eximReport({
  returnPath,
  address = "jo@example.org",
  status = "5.0.0",
  diagnostic = "smtp; 550 5.1.1 The mailbox does not exist",
}: Report): string {
  return lines(`
Received: from Debian-exim by mail.example.com with local (Exim 4.98)
	id 1tFq2R-00000000Abc-1aBc
	for ${returnPath};
	Wed, 25 Nov 2026 09:14:07 +0000
X-Failed-Recipients: ${address}
Auto-Submitted: auto-replied
From: Mail Delivery System <Mailer-Daemon@mail.example.com>
To: ${returnPath}
References: <01900000-0000-7000-8000-000000000001@ads.example.com>
Content-Type: multipart/report; report-type=delivery-status; boundary=1795598047-eximdsn-1804289383
MIME-Version: 1.0
Subject: Mail delivery failed: returning message to sender
Message-Id: <E1tFq2R-00000000Abc-1aBc@mail.example.com>
Date: Wed, 25 Nov 2026 09:14:07 +0000

--1795598047-eximdsn-1804289383
Content-type: text/plain; charset=us-ascii

This message was created automatically by mail delivery software.

--1795598047-eximdsn-1804289383
Content-type: message/delivery-status

Reporting-MTA: dns; mail.example.com

Action: failed
Final-Recipient: rfc822;${address}
Status: ${status}
Remote-MTA: dns; mx.example.org
Diagnostic-Code: ${diagnostic}

--1795598047-eximdsn-1804289383
Content-type: message/rfc822

Return-path: <${returnPath}>
From: Endcap <mail@endcap.example>
To: Jo <${address}>
Subject: Welcome

The text of the mail.

--1795598047-eximdsn-1804289383--
`);
}

/** Exchange: the report is in base64, and the returned headers lack the return path. */
export function exchangeReport({
  returnPath,
  address = "jo@example.org",
  status = "5.1.10",
  diagnostic = "smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup",
}: Report): string {
  const report = lines(`
Reporting-MTA: dns;AM0PR01MB0001.eurprd01.prod.example.org
Received-From-MTA: dns;mail.example.com
Arrival-Date: Wed, 25 Nov 2026 09:14:06 +0000

Original-Recipient: rfc822;${address}
Final-Recipient: rfc822;${address}
Action: failed
Status: ${status}
Diagnostic-Code: ${diagnostic}
`);
  return lines(`
From: <postmaster@example.org>
To: <${returnPath}>
Date: Wed, 25 Nov 2026 09:14:08 +0000
Content-Type: multipart/report; report-type=delivery-status;
	boundary="c9d8f7a6-1b2c-4d5e-8f90-a1b2c3d4e5f6"
X-MS-Exchange-Message-Is-Ndr:
Content-Language: en-GB
Message-ID: <3d6d1a1e-ndr@AM0PR01MB0001.eurprd01.prod.example.org>
In-Reply-To: <01900000-0000-7000-8000-000000000001@ads.example.com>
Subject: Undeliverable: Welcome
Auto-Submitted: auto-replied
MIME-Version: 1.0

--c9d8f7a6-1b2c-4d5e-8f90-a1b2c3d4e5f6
Content-Type: multipart/alternative; differences=Content-Type;
	boundary="93fd6b1e-inner"

--93fd6b1e-inner
Content-Type: text/plain; charset="us-ascii"
Content-Transfer-Encoding: quoted-printable

Your message couldn't be delivered to ${address.replace("@", "=40")}.

--93fd6b1e-inner--

--c9d8f7a6-1b2c-4d5e-8f90-a1b2c3d4e5f6
Content-Type: message/delivery-status
Content-Transfer-Encoding: base64

${Buffer.from(report)
  .toString("base64")
  .replace(/(.{76})/g, "$1\n")}

--c9d8f7a6-1b2c-4d5e-8f90-a1b2c3d4e5f6
Content-Type: message/rfc822

From: Endcap <mail@endcap.example>
To: Jo <${address}>
Subject: Welcome

--c9d8f7a6-1b2c-4d5e-8f90-a1b2c3d4e5f6--
`);
}

/** Gmail: with a reply of several lines, and an image beside its text. */
export function gmailReport({
  returnPath,
  address = "jo@example.org",
  status = "5.1.1",
  action = "failed",
  diagnostic = `smtp; 550-5.1.1 The email account that you tried to reach does not exist. Please try\n 550-5.1.1 double-checking the recipient's email address for typos or\n 550 5.1.1 unnecessary spaces. a1-20020a5d - gsmtp`,
}: Report): string {
  return lines(`
Delivered-To: ${returnPath}
Return-Path: <>
Received: from mail-sor-f69.example.net (mail-sor-f69.example.net. [192.0.2.69])
        by mx.example.com with SMTPS id a1-20020a5d;
        Wed, 25 Nov 2026 01:14:08 -0800 (PST)
Content-Type: multipart/report; boundary="000000000000d1f4a20627b1c2f0"; report-type=delivery-status
To: ${returnPath}
From: Mail Delivery Subsystem <mailer-daemon@googlemail.example>
Subject: Delivery Status Notification (Failure)
Date: Wed, 25 Nov 2026 01:14:08 -0800 (PST)
X-Failed-Recipients: ${address}

--000000000000d1f4a20627b1c2f0
Content-Type: multipart/related; boundary="000000000000d1f9e40627b1c2f5"

--000000000000d1f9e40627b1c2f5
Content-Type: text/html; charset="UTF-8"
Content-Transfer-Encoding: quoted-printable

<p>Address not found</p>
--000000000000d1f9e40627b1c2f5
Content-Type: image/png; name="icon.png"
Content-Disposition: attachment; filename="icon.png"
Content-Transfer-Encoding: base64
X-Attachment-Id: icon.png
Content-ID: <icon.png>

iVBORw0KGgo=
--000000000000d1f9e40627b1c2f5--
--000000000000d1f4a20627b1c2f0
Content-Type: message/delivery-status

Reporting-MTA: dns; googlemail.example
Arrival-Date: Wed, 25 Nov 2026 01:14:07 -0800 (PST)
X-Original-Message-ID: <01900000-0000-7000-8000-000000000001@ads.example.com>

Final-Recipient: rfc822; ${address}
Action: ${action}
Status: ${status}
Remote-MTA: dns; gmail-smtp-in.l.example. (192.0.2.26, the server for the domain example.org.)
Diagnostic-Code: ${diagnostic}
Last-Attempt-Date: Wed, 25 Nov 2026 01:14:08 -0800 (PST)

--000000000000d1f4a20627b1c2f0
Content-Type: message/rfc822

From: Endcap <mail@endcap.example>
To: Jo <${address}>
Subject: Welcome

----- Message truncated -----

--000000000000d1f4a20627b1c2f0--
`);
}

/** A complaint (RFC 5965), sent to the address that the operator registered: only the report names the return path. */
export function complaintReport({ returnPath, type = "abuse" }: { returnPath: string; type?: string }): string {
  return lines(`
From: <abusedesk@example.org>
Date: Wed, 25 Nov 2026 17:40:36 +0000
Subject: FW: Your daily summary
To: <complaints@example.com>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report;
     boundary="part1_13d.2e68ed54_boundary"

--part1_13d.2e68ed54_boundary
Content-Type: text/plain; charset="US-ASCII"
Content-Transfer-Encoding: 7bit

This is an email abuse report for an email message received from IP
192.0.2.1 on Wed, 25 Nov 2026 14:00:00 +0000.

--part1_13d.2e68ed54_boundary
Content-Type: message/feedback-report

Feedback-Type: ${type}
User-Agent: SomeGenerator/1.0
Version: 1
Original-Mail-From: <${returnPath}>
Original-Rcpt-To: <user@example.org>
Arrival-Date: Wed, 25 Nov 2026 14:00:00 +0000
Reporting-MTA: dns; mail.example.org
Source-IP: 192.0.2.1

--part1_13d.2e68ed54_boundary
Content-Type: message/rfc822
Content-Disposition: inline

From: Endcap <mail@endcap.example>
To: <user@example.org>
Subject: Your daily summary

The text.

--part1_13d.2e68ed54_boundary--
`);
}
