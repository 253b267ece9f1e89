ALTER TABLE "console"."audit_checkpoint_files" DROP COLUMN "http_sequence";--> statement-breakpoint
ALTER TABLE "console"."audit_checkpoint_files" DROP COLUMN "syslog_sequence";