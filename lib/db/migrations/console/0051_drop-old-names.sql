-- What no process of the version before reads: a table without use, and the names that the index had before 0043.
DROP TABLE "console"."honoured_keys";--> statement-breakpoint
DROP VIEW "console"."directory_accounts";--> statement-breakpoint
DROP VIEW "console"."directory_cards";--> statement-breakpoint
DROP VIEW "console"."directory_payouts";--> statement-breakpoint
DROP VIEW "console"."directory_state";--> statement-breakpoint
DROP VIEW "console"."index_transaction_readings";--> statement-breakpoint
DROP VIEW "console"."index_fee_readings";--> statement-breakpoint
DROP VIEW "console"."payout_readings";--> statement-breakpoint
DROP VIEW "console"."webhook_looks";--> statement-breakpoint
DROP VIEW "console"."service_health";
