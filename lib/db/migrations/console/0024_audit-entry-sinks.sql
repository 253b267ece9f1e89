CREATE TABLE "console"."audit_entry_sinks" (
	"sink" text PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"sent_number" bigint DEFAULT 0 NOT NULL,
	"failed_attempts" integer DEFAULT 0 NOT NULL,
	"noticed_at" timestamp (3) with time zone,
	"lease_until" timestamp (3) with time zone NOT NULL,
	"lease_holder" uuid
);
