CREATE SCHEMA "console";
--> statement-breakpoint
CREATE TABLE "console"."audit_entries" (
	"number" bigint PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"staff_id" uuid,
	"staff_name" text,
	"staff_role" text,
	"environment" text,
	"act" text NOT NULL,
	"target_type" text,
	"target_id" text,
	"target_parent_id" text,
	"target_label" text,
	"outcome" text NOT NULL,
	"code" text,
	"reason" text,
	"comment" text,
	"operation_id" uuid,
	"request_id" text,
	"previous_hash" text NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "console"."card_status_changes" (
	"environment" text NOT NULL,
	"card_id" uuid NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	"not_before" timestamp (3) with time zone NOT NULL,
	"status_before" text NOT NULL,
	"status_after" text NOT NULL,
	"operation_id" uuid,
	CONSTRAINT "card_status_changes_environment_card_id_seen_at_pk" PRIMARY KEY("environment","card_id","seen_at")
);
--> statement-breakpoint
CREATE TABLE "console"."directory_accounts" (
	"environment" text NOT NULL,
	"id" uuid NOT NULL,
	"xid" text,
	"name" text NOT NULL,
	"phone_number" text,
	"identity_type" text,
	"account_type" text,
	"currency" text NOT NULL,
	"limit" numeric(24, 8),
	"balance" numeric(24, 8) NOT NULL,
	"outstanding" numeric(24, 8) NOT NULL,
	"available" numeric(24, 8) NOT NULL,
	"dispute_amount" numeric(24, 8) NOT NULL,
	"client_identity_status" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"xmetadata" jsonb,
	"more" jsonb,
	"search_text" text NOT NULL,
	"cards" integer,
	"cards_read_at" timestamp (3) with time zone,
	"read_at" timestamp (3) with time zone NOT NULL,
	"reading" bigint NOT NULL,
	CONSTRAINT "directory_accounts_environment_id_pk" PRIMARY KEY("environment","id")
);
--> statement-breakpoint
CREATE TABLE "console"."directory_cards" (
	"environment" text NOT NULL,
	"id" uuid NOT NULL,
	"card_account_id" uuid NOT NULL,
	"status" text NOT NULL,
	"last4" text NOT NULL,
	"record" jsonb NOT NULL,
	"position" integer NOT NULL,
	"first_read_at" timestamp (3) with time zone NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "directory_cards_environment_id_pk" PRIMARY KEY("environment","id")
);
--> statement-breakpoint
CREATE TABLE "console"."directory_state" (
	"environment" text PRIMARY KEY NOT NULL,
	"reading" bigint DEFAULT 0 NOT NULL,
	"reading_since" timestamp (3) with time zone,
	"as_of" timestamp (3) with time zone,
	"accounts" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "console"."service_health" (
	"environment" text PRIMARY KEY NOT NULL,
	"last_answer_at" timestamp (3) with time zone,
	"unreachable_since" timestamp (3) with time zone,
	"last_problem" jsonb
);
--> statement-breakpoint
CREATE TABLE "console"."operations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"environment" text NOT NULL,
	"kind" text NOT NULL,
	"staff_id" uuid NOT NULL,
	"staff_name" text NOT NULL,
	"staff_role" text NOT NULL,
	"target_type" text NOT NULL,
	"target_id" text NOT NULL,
	"target_parent_id" text,
	"target_label" text,
	"reason" text,
	"comment" text,
	"endpoint" text NOT NULL,
	"sealed_body" "bytea",
	"body_sha256" text,
	"content_digest" text NOT NULL,
	"holds_secret" boolean NOT NULL,
	"state" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"status" integer,
	"code" text,
	"message" text,
	"request_id" text,
	"status_before" text,
	"status_after" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"lease_until" timestamp (3) with time zone NOT NULL,
	"lease_holder" uuid NOT NULL,
	"next_settlement_at" timestamp (3) with time zone,
	"settled_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "console"."sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"staff_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "console"."sign_in_attempts" (
	"address" text NOT NULL,
	"minute" bigint NOT NULL,
	"attempts" integer NOT NULL,
	"failures" integer NOT NULL,
	CONSTRAINT "sign_in_attempts_address_minute_pk" PRIMARY KEY("address","minute")
);
--> statement-breakpoint
CREATE TABLE "console"."staff" (
	"id" uuid PRIMARY KEY NOT NULL,
	"origin" text NOT NULL,
	"oidc_subject" text,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"disabled_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "console"."sessions" ADD CONSTRAINT "sessions_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "console"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_entries_staff" ON "console"."audit_entries" USING btree ("staff_id","number" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_entries_act" ON "console"."audit_entries" USING btree ("act","number" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_entries_target" ON "console"."audit_entries" USING btree ("target_id","number" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_entries_operation" ON "console"."audit_entries" USING btree ("operation_id");--> statement-breakpoint
CREATE INDEX "directory_accounts_by_created" ON "console"."directory_accounts" USING btree ("environment","created_at","id");--> statement-breakpoint
CREATE INDEX "directory_accounts_by_name" ON "console"."directory_accounts" USING btree ("environment",lower(name),"id");--> statement-breakpoint
CREATE INDEX "directory_accounts_by_balance" ON "console"."directory_accounts" USING btree ("environment","balance","id");--> statement-breakpoint
CREATE INDEX "directory_accounts_by_outstanding" ON "console"."directory_accounts" USING btree ("environment","outstanding","id");--> statement-breakpoint
CREATE INDEX "directory_accounts_by_available" ON "console"."directory_accounts" USING btree ("environment","available","id");--> statement-breakpoint
CREATE INDEX "directory_accounts_by_dispute" ON "console"."directory_accounts" USING btree ("environment","dispute_amount","id");--> statement-breakpoint
CREATE INDEX "directory_accounts_by_cards" ON "console"."directory_accounts" USING btree ("environment",coalesce(cards, -1),"id");--> statement-breakpoint
CREATE INDEX "directory_accounts_cards_read" ON "console"."directory_accounts" USING btree ("environment","cards_read_at" NULLS FIRST);--> statement-breakpoint
CREATE INDEX "directory_accounts_identity" ON "console"."directory_accounts" USING btree ("environment","client_identity_status");--> statement-breakpoint
CREATE INDEX "directory_accounts_xmetadata" ON "console"."directory_accounts" USING gin (xmetadata jsonb_path_ops);--> statement-breakpoint
CREATE INDEX "directory_cards_account" ON "console"."directory_cards" USING btree ("environment","card_account_id");--> statement-breakpoint
CREATE INDEX "directory_cards_status" ON "console"."directory_cards" USING btree ("environment","status");--> statement-breakpoint
CREATE INDEX "directory_cards_last4" ON "console"."directory_cards" USING btree ("environment","last4");--> statement-breakpoint
CREATE INDEX "operations_target" ON "console"."operations" USING btree ("environment","target_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "operations_open" ON "console"."operations" USING btree ("environment","next_settlement_at") WHERE settled_at is null;--> statement-breakpoint
CREATE INDEX "sessions_staff" ON "console"."sessions" USING btree ("staff_id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "console"."sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "staff_oidc_subject" ON "console"."staff" USING btree ("oidc_subject") WHERE oidc_subject is not null;